import { createCipheriv, createDecipheriv, createHash, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** Where a sealed text is stored: `table` with its schema, and the id of its row. */
export type SealedPlace = { table: string; column: string; id: string };

/** Encrypts for storage, with AES-256-GCM and a fresh nonce each time; what is sealed for a place opens there alone. */
export type Sealer = {
  /** Returns printable text: `v1.KEY_ID.…`. */
  seal(text: string, place: SealedPlace): string;
  /** Throws `SealBroken`. */
  open(sealed: string, place: SealedPlace): string;
  sealBytes(bytes: Buffer, place: SealedPlace): Buffer;
  /** Throws `SealBroken`. */
  openBytes(sealed: Buffer, place: SealedPlace): Buffer;
  /** The id of the key that seals for a place now. */
  keyFor(place: SealedPlace): string;
  /** By which those who have the key compare texts, and nobody else learns anything of them. */
  digest(text: string): string;
  /** The same, with a key that is never replaced: of what is kept nowhere else, so that no other mark could be made of it. */
  mark(text: string): Buffer;
};

/**
 * A sealed text that does not open. `mayOpen`: later, or in another process, since its key may still come, or it is in the form of a later release. Else it
 * never will: it was sealed for another row, was changed, or names a key that the database does not have.
 */
export class SealBroken extends Error {
  override readonly name = 'SealBroken';
  readonly mayOpen: boolean;

  constructor(mayOpen: boolean, words: string) {
    super(words);
    this.mayOpen = mayOpen;
  }
}

/** A key by which texts are sealed that name it. */
export type SealingKey = { id: string; sealer: Sealer };

/** What is sealed; null: it does not open. */
export function openOrNull(sealing: Pick<Sealer, 'open'>, sealed: string, place: SealedPlace): string | null {
  try {
    return sealing.open(sealed, place);
  } catch (thrown) {
    if (thrown instanceof SealBroken) return null;
    throw thrown;
  }
}

/** What is sealed; null: it never opens. Throws `SealBroken` of what may open later, or elsewhere: for what is written from it. */
export function unlessBroken<Content>(open: () => Content): Content | null {
  try {
    return open();
  } catch (thrown) {
    if (thrown instanceof SealBroken && !thrown.mayOpen) return null;
    throw thrown;
  }
}

/** The form of a sealed text, and of sealed bytes. */
const FORM = 'v1.';
const FORM_OF_BYTES = 1;
/** Of later releases: `v2.` and so on, and a byte up to this. Anything else was changed. */
const LATER_FORM = /^v\d+\./;
const LAST_FORM_OF_BYTES = 15;
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ID_BYTES = 4;
const ID_LENGTH = 2 * ID_BYTES;
const DIGEST_LENGTH = 22;

const WRONG_KEY = 'a sealed text does not open: none of ENCRYPTION_KEYS is the key it was sealed with; add the one that was used before';
const WRONG_PLACE = 'a sealed text does not open: it was sealed for another row or column, or changed in the database; a secret must be given again';
const NO_KEY = 'a sealed text does not open: it names a key that the database does not have; it was changed, or sealed after the backup that was restored';
const UNKNOWN_FORM = 'a sealed text is in a form that this release does not know; it was written by a newer one, which opens it';

/** SQL: the id of the key that sealed a text. */
export const sqlKeyId = (sealed: string): string => `substr(${sealed}, ${FORM.length + 1}, ${ID_LENGTH})`;

/** SQL: the id of the key that sealed bytes. */
export const sqlKeyIdOfBytes = (sealed: string): string => `encode(substr(${sealed}, 2, ${ID_BYTES}), 'hex')`;

/** In base64, as jobs and the inbox keep them: a pattern of bytes that these keys sealed. */
export function patternOfBytes(ids: readonly string[]): string {
  const beginnings = ids.map((id) =>
    Buffer.from([FORM_OF_BYTES, ...Buffer.from(id, 'hex')])
      .toString('base64')
      .slice(0, 6),
  );
  return `(${beginnings.join('|').replaceAll('+', '\\+')})`;
}

/** Tells a key from others, and nothing about it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('hex').slice(0, ID_LENGTH);
}

/** A new key of 32 bytes, and the id that what it seals begins with. */
export function newKey(): { id: string; key: Buffer } {
  return { id: randomBytes(ID_BYTES).toString('hex'), key: randomBytes(32) };
}

/** A sealer for a key of 32 bytes. */
export function sealer(key: Buffer, id?: string): Sealer {
  return sealingKey(key, id).sealer;
}

/** `id`: 8 hexadecimal digits; those that follow from the key if absent. */
export function sealingKey(bytes: Buffer, id: string = idOf(bytes)): SealingKey {
  const key = createSecretKey(bytes);
  const prefix = `${FORM}${id}.`;
  const head = Buffer.from([FORM_OF_BYTES, ...Buffer.from(id, 'hex')]);
  const compareKey = createSecretKey(createHmac('sha256', key).update('compare').digest());
  const compared = (text: string) => createHmac('sha256', compareKey).update(text);
  const opened = (sealed: Buffer, place: SealedPlace) => decrypted(key, sealed, place) ?? broken(false, WRONG_PLACE);
  return {
    id,
    sealer: {
      digest: (text) => compared(text).digest('base64url').slice(0, DIGEST_LENGTH),
      mark: (text) => compared(text).digest(),
      seal: (text, place) => prefix + Buffer.concat(encrypted(key, Buffer.from(text), place)).toString('base64url'),
      open(sealed, place) {
        if (!sealed.startsWith(prefix)) return unopened(sealed);
        return opened(Buffer.from(sealed.slice(prefix.length), 'base64url'), place).toString('utf8');
      },
      keyFor: () => id,
      sealBytes: (content, place) => Buffer.concat([head, ...encrypted(key, content, place)]),
      openBytes: (sealed, place) => (sealed.subarray(0, head.length).equals(head) ? opened(sealed.subarray(head.length), place) : unopened(sealed)),
    },
  };
}

/** The id of the key that a text or bytes were sealed with; throws `SealBroken` if they are in no known form. */
export function keyIdOf(sealed: string | Buffer): string {
  const isText = typeof sealed === 'string';
  if (isText ? sealed.startsWith(FORM) : sealed[0] === FORM_OF_BYTES)
    return isText ? sealed.slice(FORM.length, FORM.length + ID_LENGTH) : sealed.toString('hex', 1, 1 + ID_BYTES);
  const [byte = 0] = isText ? [] : sealed;
  const isLater = isText ? LATER_FORM.test(sealed) : byte > FORM_OF_BYTES && byte <= LAST_FORM_OF_BYTES;
  return isLater ? broken(true, UNKNOWN_FORM) : broken(false, WRONG_PLACE);
}

/** Throws `SealBroken`: nothing opens with this key, or, `words`, it does not seal. */
export function wrongKey(words = WRONG_KEY): never {
  return broken(true, words);
}

/** Throws `SealBroken`: there is no such key, nor will there be. */
export function noSuchKey(): never {
  return broken(false, NO_KEY);
}

/** Throws `SealBroken`: it is in no known form, or of another key. */
function unopened(sealed: string | Buffer): never {
  keyIdOf(sealed);
  return wrongKey();
}

function broken(mayOpen: boolean, words: string): never {
  throw new SealBroken(mayOpen, words);
}

function bytesOf({ table, column, id }: SealedPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, id]));
}

/** Random bytes for the next nonces; each byte is used once. Asking for them one by one takes a third of the time of sealing. */
let nonces = Buffer.alloc(0);

function nextNonce(): Buffer {
  if (nonces.length === 0) nonces = randomBytes(512 * NONCE_BYTES);
  const nonce = nonces.subarray(0, NONCE_BYTES);
  nonces = nonces.subarray(NONCE_BYTES);
  return nonce;
}

function encrypted(key: KeyObject, content: Buffer, place: SealedPlace): Buffer[] {
  const nonce = nextNonce();
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(bytesOf(place));
  const parts = [cipher.update(content), cipher.final()];
  return [nonce, cipher.getAuthTag(), ...parts];
}

/** Null if it does not open. */
function decrypted(key: KeyObject, bytes: Buffer, place: SealedPlace): Buffer | null {
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES }).setAAD(bytesOf(place));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
