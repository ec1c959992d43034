import { ENCODED, HttpProblem, TOO_LARGE } from './http-problem.ts';

/** The answer for anything that was thrown. 503 only when the database surely did nothing; if that is not known, 500. */
export function asProblem(thrown: unknown): HttpProblem {
  if (thrown instanceof HttpProblem) return thrown;
  const { status, type } = httpError(thrown);
  if (status === 413) return new HttpProblem('body-too-large', TOO_LARGE);
  if (status === 415) return new HttpProblem('content-type-unsupported', ENCODED);
  if (status >= 400 && status < 500) return new HttpProblem('request-invalid', `the request could not be read (${type})`);
  if (neverConnected(thrown)) return new HttpProblem('unavailable', 'nothing was done; send the request again after the time in Retry-After');
  return new HttpProblem('internal-error', 'it is not known whether the request was carried out; send it again with the same Idempotency-Key');
}

// Errors of Express and its body parser carry their status.
function httpError(thrown: unknown): { status: number; type: string } {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') return { status: 0, type: '' };
  return { status: thrown.status, type: 'type' in thrown && typeof thrown.type === 'string' ? thrown.type : 'malformed' };
}

const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', '53300', '57P03']);

function neverConnected(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
  return NO_CONNECTION.has(code) || thrown.message === 'timeout exceeded when trying to connect';
}
