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
/** The object itself, its values, and their values. */
const DEPTH = 3;

/** The object with secrets and personal data blanked and errors described, three levels deep. The objects themselves stay as they are. */
export function hideSecrets(object: Record<string, unknown>): Record<string, unknown> {
  return { ...hide(object, DEPTH) };
}

function hide(object: object, depth: number): object {
  if (object instanceof Error) return describeError(object);
  // An object with toJSON decides itself what it shows.
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
