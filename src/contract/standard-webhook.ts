import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const LEAST_BYTES = 24;
const MOST_BYTES = 64;

/** The signing key of a Standard Webhooks secret ("whsec_" + base64 of 24 to 64 bytes; the prefix may be left out); null if it is none. */
export function keyOf(secret: string): Buffer | null {
  return secretProblem(secret) === null ? decode(secret) : null;
}

/** Says what is wrong with a secret and what to do; null if it is fine. */
export function secretProblem(secret: string): string | null {
  const advice = `Make one with: echo "${PREFIX}$(openssl rand -base64 32)"`;
  if (/^wh[sp]k_/.test(secret)) return `Asymmetric keys (whsk_, whpk_) are not supported. ${advice}`;
  const key = decode(secret);
  if (key === null) return `The secret is not ${PREFIX} followed by base64. ${advice}`;
  if (key.length < LEAST_BYTES || key.length > MOST_BYTES) {
    return `The secret decodes to ${key.length} bytes; it must have ${LEAST_BYTES} to ${MOST_BYTES}. ${advice}`;
  }
  return null;
}

function decode(secret: string): Buffer | null {
  const base64 = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const key = Buffer.from(base64, 'base64');
  // Buffer skips what is not base64; only text that comes out the same was base64.
  return base64 !== '' && key.toString('base64').replace(/=+$/, '') === base64.replace(/=+$/, '') ? key : null;
}

/** What is signed: `seconds` is the Unix time of this attempt. */
export type SignedMessage = { id: string; seconds: number; body: string };

/** The three headers of a Standard Webhooks message, with a signature by each of the secrets. Throws if one is none: see `secretProblem`. */
export function signedHeaders(secrets: string | readonly string[], { id, seconds, body }: SignedMessage): Record<string, string> {
  const signatures = [secrets].flat().map((secret) => {
    const key = keyOf(secret);
    if (key === null) throw new Error('the secret is no Standard Webhooks secret');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': signatures.join(' ') };
}

export function newStandardSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}
