import { limits } from '../../contract/limits.ts';
import type { FieldError } from '../../contract/schema-errors.ts';
import { codeOf } from '../../platform/error-words.ts';
import { OTHER_DATABASE } from '../../platform/postgres/database-place.ts';

/** Every error of the interface: its status and its title. `docs/compliance-api.md` shows this table. */
export const problems = {
  'body-not-json': { status: 400, title: 'The body is not JSON' },
  'body-invalid': { status: 400, title: 'The body has invalid fields' },
  'request-invalid': { status: 400, title: 'The request can’t be read' },
  unauthorized: { status: 401, title: 'The key or the signature is not right' },
  'one-shop-only': { status: 403, title: 'This API key may have one shop' },
  'not-found': { status: 404, title: 'There is no such thing here' },
  'method-not-allowed': { status: 405, title: 'This address does not take this method' },
  'order-exists': { status: 409, title: 'An order with this internalId is recorded in this shop' },
  'month-not-ready': { status: 409, title: 'No file of this month can be made now' },
  'month-empty': { status: 409, title: 'This month has no order for a file' },
  'month-has-returns': { status: 409, title: 'This month has returns that no file can tell' },
  'month-not-ours': { status: 409, title: 'This month is before the shop existed here' },
  'month-not-empty': { status: 409, title: 'This month has something to file' },
  'month-filed': { status: 409, title: 'The file of this month is marked as filed' },
  'month-not-filed': { status: 409, title: 'The file of this month is not marked as filed' },
  'month-outdated': { status: 409, title: 'The version lacks the last changes' },
  'month-incomplete': { status: 409, title: 'Paid orders of this month are not recorded' },
  'month-too-late': { status: 409, title: 'The file of this month can’t be made again' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'content-type-unsupported': { status: 415, title: 'The body must be plain application/json in UTF-8' },
  'company-claimed': { status: 422, title: 'This company belongs to another owner of API keys' },
  'currency-ended': { status: 422, title: 'This currency had ended when the order was made' },
  'document-numbers-used-up': { status: 422, title: 'No document number is left' },
  'idempotency-key-reused': { status: 422, title: 'This Idempotency-Key belongs to another request' },
  'receipt-not-due': { status: 422, title: 'No receipt is issued for this order' },
  'receipt-without-address': { status: 422, title: 'The buyer has no e-mail address' },
  'shop-name-mismatch': { status: 422, title: 'The name is not the name of this shop' },
  'receipt-just-sent': { status: 429, title: 'This receipt was mailed again just now' },
  'internal-error': { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'The service can’t work at the moment' },
  injected: { status: 503, title: 'An injected fault' },
} as const satisfies Record<string, { status: number; title: string }>;

export const TOO_LARGE = `the body may have ${limits.bodyBytes} bytes at most`;
export const ENCODED = 'send the body as it is, without Content-Encoding';

export type ProblemCode = keyof typeof problems;

/** `status`: another one than the usual. */
type Extra = { errors?: FieldError[]; id?: string; status?: number };

/** An answer of RFC 9457; thrown by the use cases, written by the error handler. Its words are for the caller. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly code: ProblemCode;
  readonly extra: Extra;

  constructor(code: ProblemCode, detail: string, extra: Extra = {}) {
    super(detail);
    this.code = code;
    this.extra = extra;
  }

  get status(): number {
    return this.extra.status ?? problems[this.code].status;
  }

  /** The body, as application/problem+json. */
  toJSON(): Record<string, unknown> {
    const { status, title } = problems[this.code];
    return { type: `urn:compliance-service:problem:${this.code}`, code: this.code, title, status, detail: this.message, ...this.extra };
  }
}

export function invalidBody(errors: FieldError[]): HttpProblem {
  const fields = errors.length === 1 ? '1 field is' : `${errors.length} fields are`;
  return new HttpProblem('body-invalid', `${fields} not right: see errors, correct them and send again`, { errors });
}

/** A query in the address that can't be read. */
export function invalidQuery(errors: FieldError[]): HttpProblem {
  return new HttpProblem('request-invalid', 'the query has parameters that are not right: see errors', { errors });
}

/** The answer is the same for a missing thing and for another caller's. */
export function notFound(what: 'shop' | 'order' | 'receipt' | 'audit file' | 'CSV of an audit file'): HttpProblem {
  return new HttpProblem('not-found', `this API key has no ${what} with this id`);
}

/** The answer for anything that was thrown. 503 only when the database surely did nothing; if that is not known, 500. */
export function asProblem(thrown: unknown): HttpProblem {
  if (thrown instanceof HttpProblem) return thrown;
  const { status, type } = httpError(thrown);
  if (status === 413) return new HttpProblem('body-too-large', TOO_LARGE);
  if (status === 415) return new HttpProblem('content-type-unsupported', ENCODED);
  if (status >= 400 && status < 500) return new HttpProblem('request-invalid', `the request could not be read (${type})`);
  if (didNothing(thrown)) return new HttpProblem('unavailable', 'nothing was done; send the request again after the time in Retry-After');
  return new HttpProblem('internal-error', 'it is not known whether the request was carried out; send it again with the same Idempotency-Key');
}

// Errors of Express and its body parser carry their status.
function httpError(thrown: unknown): { status: number; type: string } {
  if (!(thrown instanceof Error) || !('status' in thrown) || typeof thrown.status !== 'number') return { status: 0, type: '' };
  return { status: thrown.status, type: 'type' in thrown && typeof thrown.type === 'string' ? thrown.type : 'malformed' };
}

const NOTHING_DONE = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', '53300', '57P03', OTHER_DATABASE]);

/** The database did nothing: it could not be reached, or records nothing now. */
function didNothing(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = codeOf(thrown);
  return NOTHING_DONE.has(code) || thrown.message === 'timeout exceeded when trying to connect';
}
