import type { Response } from 'express';
import { Problem } from './problem.ts';

export type Answer = { status: number; body: unknown; headers?: Record<string, string> };

/** Writes an answer as JSON; an error as application/problem+json. */
export function send(res: Response, { status, body, headers = {} }: Answer): void {
  const text = JSON.stringify(body);
  const type = body instanceof Problem ? 'application/problem+json' : 'application/json; charset=utf-8';
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), 'cache-control': 'no-store', ...headers });
  res.end(text);
}

/** Writes a problem with its own status. */
export function sendProblem(res: Response, problem: Problem, headers: Record<string, string> = {}): void {
  send(res, { status: problem.status, body: problem, headers });
}
