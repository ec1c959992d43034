import { describeError } from './describe-error.ts';

const HIDDEN = new Set([
  'secret',
  'apiSecret',
  'apiKey',
  'access',
  'consumerKey',
  'consumerSecret',
  'password',
  'token',
  'adminToken',
  'encryptionKey',
  'authorization',
  'cookie',
  'x-api-key',
  'x-signature',
  'email',
  'phone',
  'firstName',
  'lastName',
  'customer',
  'headers',
  'body',
  'rawBody',
]);
/** Keys of the object itself, of what is in it, and of what is in that. */
const DEPTH = 3;

/** The object with secrets and personal data blanked and errors described, three levels deep. The objects themselves stay as they are. */
export function hideSecrets(object: Record<string, unknown>): Record<string, unknown> {
  return { ...hide(object, DEPTH) };
}

function hide(object: object, depth: number): object {
  if (object instanceof Error) return describeError(object);
  // What has toJSON says itself what may be shown of it.
  if (depth === 0 || 'toJSON' in object) return object;
  let shown: object | undefined;
  for (const [key, value] of Object.entries(object)) {
    const safe: unknown = HIDDEN.has(key) ? '[hidden]' : value !== null && typeof value === 'object' ? hide(value, depth - 1) : value;
    if (safe === value) continue;
    shown ??= Array.isArray(object) ? [...object] : { ...object };
    Object.assign(shown, { [key]: safe });
  }
  return shown ?? object;
}
