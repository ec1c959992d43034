import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto';

/** Where a sealed text is stored: `table` with its schema, and the id of its row. */
export type SealedPlace = { table: string; column: string; id: string };

/** Encrypts text for storage, with AES-256-GCM and a fresh nonce each time; what is sealed for a place opens there alone. */
export type Sealer = {
  /** Begins every text that it seals; tells the key from others, and nothing about it. */
  prefix: string;
  /** Returns printable text: `v1.KEY_ID.…`. */
  seal(text: string, place: SealedPlace): string;
  /** Throws `SealBroken`. */
  open(sealed: string, place: SealedPlace): string;
  /** By which those who have the key compare texts, and nobody else learns anything of them. */
  digest(text: string): string;
};

/** A sealed text that does not open. key: with this key, nothing of its kind does. place: this text alone, which was sealed for another row, or was changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  readonly why: 'key' | 'place';

  constructor(why: 'key' | 'place', words: string) {
    super(words);
    this.why = why;
  }
}

/** The form of a sealed text. */
const FORM = 'v1.';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_ID_LENGTH = 8;
const DIGEST_LENGTH = 22;

const WRONG_KEY = 'a stored secret does not open: ENCRYPTION_KEY is not the key it was sealed with; set the one that was used before';
const WRONG_PLACE = 'a stored secret does not open: it was sealed for another row or column, or changed in the database; give it again';
const UNKNOWN_FORM = 'a stored secret is in a form that this release does not know; it was written by a newer one';

/** A sealer for a key of 32 bytes. */
export function sealer(key: Buffer): Sealer {
  // It tells a wrong key from a wrong place, and nothing about the key.
  const prefix = `${FORM}${createHash('sha256').update(key).digest('hex').slice(0, KEY_ID_LENGTH)}.`;
  const compareKey = createHmac('sha256', key).update('compare').digest();
  return {
    prefix,
    digest: (text) => createHmac('sha256', compareKey).update(text).digest('base64url').slice(0, DIGEST_LENGTH),
    seal: (text, place) => prefix + encrypted(key, text, bytesOf(place)),
    open(sealed, place) {
      if (sealed.startsWith(prefix)) return decrypted(key, sealed.slice(prefix.length), bytesOf(place)) ?? broken('place', WRONG_PLACE);
      return sealed.startsWith(FORM) ? broken('key', WRONG_KEY) : broken('key', UNKNOWN_FORM);
    },
  };
}

/** A sealer that opens what it can, and seals nothing: `words` are thrown instead. */
export function openOnly(sealing: Sealer, words: string): Sealer {
  return { ...sealing, seal: () => broken('key', words) };
}

function broken(why: 'key' | 'place', words: string): never {
  throw new SealBroken(why, words);
}

function bytesOf({ table, column, id }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, id]));
}

function encrypted(key: Buffer, text: string, place: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(place);
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url');
}

/** Null if it does not open. */
function decrypted(key: Buffer, sealed: string, place: Buffer): string | null {
  const bytes = Buffer.from(sealed, 'base64url');
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES }).setAAD(place);
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
