import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { programFile } from './program-file.ts';

type Cost = { memory: number; passes: number; parallelism: number };

/** What OWASP asks for at least; `memory` in KiB. A stored hash says its own, so these may rise. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

/** A password as it is stored: argon2id, as a PHC string. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const tag = await digest(password, { cost: COST, salt, length: TAG_BYTES });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

/** Is it the password of this hash? Null: of nobody, which takes as long. `isOutdated`: it should be hashed anew. */
export async function checkPassword(password: string, stored: string | null): Promise<{ isRight: boolean; isOutdated: boolean }> {
  const kept = stored === null ? null : parse(stored);
  const { cost, salt, tag } = kept ?? { cost: COST, salt: randomBytes(SALT_BYTES), tag: Buffer.alloc(TAG_BYTES) };
  const given = await digest(password, { cost, salt, length: tag.length });
  const isRight = timingSafeEqual(given, tag) && kept !== null;
  return { isRight, isOutdated: cost.memory < COST.memory || cost.passes < COST.passes || cost.parallelism !== COST.parallelism };
}

function parse(stored: string): { cost: Cost; salt: Buffer; tag: Buffer } {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored) ?? [];
  if (memory === undefined) throw new Error('a stored password is no PHC string of argon2id');
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') };
}

/** The same text typed on another keyboard may be other code points: they are composed first. */
function digest(password: string, { cost, salt, length }: { cost: Cost; salt: Buffer; length: number }): Promise<Buffer> {
  const parameters = { message: password.normalize('NFC'), nonce: salt, tagLength: length, ...cost };
  return new Promise((resolve, reject) => {
    argon2('argon2id', parameters, (error, tag) => (error === null ? resolve(tag) : reject(error)));
  });
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

let common: ReadonlySet<string> | null = null;

/**
 * Is it, in small letters, among the 10,000 most common ones of twelve and more characters, which are the first that somebody would try? From SecLists; its
 * licence (MIT) stands beside them.
 */
export function isCommonPassword(lower: string): boolean {
  common ??= new Set(readFileSync(programFile('platform/common-passwords.txt'), 'utf8').split(/\s/));
  return common.has(lower);
}
