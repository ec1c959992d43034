import type { IncomingMessage, ServerResponse } from 'node:http';
import { declaredLength } from './read-body.ts';

/** How much of an unwanted body is thrown away, and for how long: a sender that is cut off while it sends may not see the answer. */
const MOST_BYTES = 6 * 1024 * 1024;
const MOST_MS = 2_000;

/** True if something of the request's body was not read. */
export function isBodyLeft(request: IncomingMessage): boolean {
  return !request.complete && declaredLength(request) !== 0;
}

/** Answers a request whose body is not wanted, and closes the connection; headers and status are set before. */
export function answerAndClose(request: IncomingMessage, response: ServerResponse, text: string): void {
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  let discarded = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', discard).off('end', finish).off('close', finish);
    response.end();
  };
  const timer = setTimeout(finish, MOST_MS);
  const discard = ({ length }: Buffer) => {
    discarded += length;
    if (discarded > MOST_BYTES) finish();
  };
  if (request.destroyed) return finish();
  request.on('error', () => undefined);
  request.on('data', discard).on('end', finish).on('close', finish).resume();
}
