import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts text for storage, with AES-256-GCM and a fresh nonce each time. */
export type Sealer = {
  /** Returns printable text that only this key opens. */
  seal(text: string): string;
  /** Throws an error in words for the user if the key is not the one it was sealed with, or the text was changed. */
  open(sealed: string): string;
};

// The version of the form, so that a later one can be recognized.
const PREFIX = 'v1.';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A sealer for a key of 32 bytes. */
export function sealer(key: Buffer): Sealer {
  return { seal: (text) => seal(key, text), open: (sealed) => open(key, sealed) };
}

function seal(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url');
}

function open(key: Buffer, sealed: string): string {
  if (!sealed.startsWith(PREFIX)) throw new Error('a stored secret is in a form that this release does not know; it was written by a newer one');
  const bytes = Buffer.from(sealed.slice(PREFIX.length), 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch (thrown) {
    throw new Error('a stored secret does not open: ENCRYPTION_KEY is not the key it was sealed with; set the one that was used before', { cause: thrown });
  }
}
