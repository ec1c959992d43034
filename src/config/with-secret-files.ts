import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeEnvironment } from './environment.ts';

type Variables = Record<string, string | undefined>;

/** `env` with the secrets that files hold. `problems` are sentences for the user, by the variable that stays unset. */
export type SecretFiles = { env: Variables; problems: ReadonlyMap<string, string> };

const MOST_BYTES = 16_384;

/** Reads the files that `NAME_FILE` names, for every secret variable NAME. Paths are relative to `cwd`; one line end at the end is left out. */
export function withSecretFiles(env: Variables, cwd: string): SecretFiles {
  const read: Variables = {};
  const problems = new Map<string, string>();
  for (const { name } of describeEnvironment().filter(({ secret }) => secret)) {
    const given = env[`${name}_FILE`] ?? '';
    if (given.trim() === '') continue;
    const value = isSet(env[name]) ? { problem: `and ${name} are both set: unset one of them` } : contentOf(resolve(cwd, given));
    if ('text' in value) read[name] = value.text;
    else problems.set(name, `${name}_FILE ${value.problem}`);
  }
  return { env: { ...env, ...read }, problems };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

function contentOf(path: string): { text: string } | { problem: string } {
  try {
    const bytes = beginningOf(path);
    if (bytes.length > MOST_BYTES) return { problem: `names ${path}, which has more than ${MOST_BYTES} bytes: it is no secret` };
    const text = bytes.toString('utf8').replace(/\r?\n$/, '');
    return text.trim() === '' ? { problem: `names ${path}, which is empty` } : { text };
  } catch (thrown) {
    return { problem: `names ${path}, which can’t be read (${thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable'})` };
  }
}

/** At most one byte more than allowed, of a pipe, too. */
function beginningOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read) read = readSync(file, bytes, size, bytes.length - size, null);
    return bytes.subarray(0, size);
  } finally {
    closeSync(file);
  }
}
