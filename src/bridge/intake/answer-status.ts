import { ownValue } from '../../contract/own-value.ts';

const statuses: Readonly<Partial<Record<string, number>>> = {
  'connection.unknown': 404,
  'connection.closed': 410,
  'signature.missing': 401,
  'signature.mismatch': 401,
  'signature.expired': 401,
  'body.too-large': 413,
  'body.incomplete': 408,
  'body.not-json': 400,
  'body.wrong-type': 415,
  'body.encoded': 415,
  'delivery.throttled': 429,
  'method.not-allowed': 405,
  'intake.unavailable': 503,
};

/** What a webhook is answered; `code`: why it is refused, null: it is accepted. */
export function answerStatus(code: string | null): number {
  return code === null ? 200 : (ownValue(statuses, code) ?? 500);
}
