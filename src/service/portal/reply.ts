import type { Response } from 'express';
import { type ContentAnswer, sendContent } from '../http/send.ts';
import { pageHeaders } from './page-document.ts';

/** An answer of a page: a document, the address to go on to after a form, or a file. */
export type Reply = { status: number; page: string; headers?: Record<string, string> } | { goTo: string } | ContentAnswer;

/** Throws if a file breaks off while it is sent; then the connection is cut. */
export async function sendReply(res: Response, reply: Reply): Promise<void> {
  if ('goTo' in reply) return void res.writeHead(303, { ...pageHeaders, location: reply.goTo, 'content-length': 0 }).end();
  if ('content' in reply) return sendContent(res, { ...reply, headers: { ...pageHeaders, ...reply.headers } });
  const { status, page, headers } = reply;
  await sendContent(res, { status, content: page, type: 'text/html; charset=utf-8', headers: { ...pageHeaders, ...headers } });
}
