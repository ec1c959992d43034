import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { HttpProblem } from './http-problem.ts';

type Head = { status: number; headers?: Record<string, string> };
/** Written as JSON. */
export type JsonAnswer = Head & { body: unknown };
/** Written as it is; `bytes` is its length, if known beforehand. */
export type ContentAnswer = Head & { content: AsyncIterable<Uint8Array> | string; type: string; bytes?: number };
export type HttpAnswer = JsonAnswer | ContentAnswer;

const ALWAYS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

/** Writes an answer as JSON; an error as application/problem+json. */
export function send(res: Response, { status, body, headers = {} }: JsonAnswer): void {
  const text = JSON.stringify(body);
  const type = body instanceof HttpProblem ? 'application/problem+json' : 'application/json; charset=utf-8';
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...ALWAYS, ...headers });
  res.end(text);
}

/** Streams content. If it fails, the connection is cut, because the status has been sent already, and the error is rethrown. */
export async function sendContent(res: Response, { status, content, type, bytes, headers = {} }: ContentAnswer): Promise<void> {
  const length = typeof content === 'string' ? Buffer.byteLength(content) : bytes;
  res.writeHead(status, { 'content-type': type, ...ALWAYS, ...(length === undefined ? {} : { 'content-length': length }), ...headers });
  if (typeof content === 'string') return void res.end(content);
  if (res.req.method === 'HEAD') return void res.end();
  await pipeline(content, res);
}

/** Writes a problem with its own status. */
export function sendProblem(res: Response, problem: HttpProblem, headers: Record<string, string> = {}): void {
  send(res, { status: problem.status, body: problem, headers });
}
