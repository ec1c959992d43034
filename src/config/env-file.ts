import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { codeOf } from '../platform/error-words.ts';
import { CliError, EXIT_CONFIG } from '../platform/terminal/context.ts';
import { describeEnvironment } from './environment.ts';

type Variables = Record<string, string | undefined>;

/** `warning`: a sentence for the user, if others can read the secrets in it. */
export type EnvFile = { variables: Variables; warning: string | null };

const NAME = '.env';
const OTHERS_MAY_READ = 0o044;

/** An entry as `parseEnv` takes it, with its comment; values in quotes may have several lines. */
const ENTRY = /[ \t]*(?:export[ \t]+)?[A-Za-z_]\w*[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`|(?!["'`#])(?:[^\n#]|(?<=[^\s])#)*)[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const NOTHING = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
/** `parseEnv` would cut the value there. */
const HASH_INSIDE = /^[^=#]*=[ \t]*[^\s"'`#](?:[^\n#]*[^\s#])?#/;

/** The variables of the file `.env` in `cwd`; null if there is none. Throws words for the user, which never hold a value, exit code 78. */
export function readEnvFile(cwd: string): EnvFile | null {
  const file = contentOf(join(cwd, NAME));
  if (file === null) return null;
  const text = file.text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const problem = findProblem(text);
  if (problem !== null) throw new CliError(`the configuration is not valid:\n  ${NAME} ${problem}`, EXIT_CONFIG);
  const variables = parseEnv(text);
  return { variables, warning: isOpen(file.mode) && hasSecret(variables) ? OPEN_WORDS : null };
}

const OPEN_WORDS = `Warning: others on this machine can read the secrets in ${NAME}: chmod 600 ${NAME}`;

/** The environment first, then the file. A secret that the environment names in one way (NAME, NAME_FILE) is not taken from the file in the other. */
export function withEnvFile(env: Variables, file: EnvFile | null): Variables {
  const isSet = (name: string) => env[name] !== undefined;
  const added = Object.entries(file?.variables ?? {}).filter(([name]) => !isSet(name) && !isSet(otherWay(name)));
  return { ...env, ...Object.fromEntries(added) };
}

function otherWay(name: string): string {
  return name.endsWith('_FILE') ? name.slice(0, -'_FILE'.length) : `${name}_FILE`;
}

function contentOf(path: string): { text: string; mode: number } | null {
  try {
    return { text: readFileSync(path, 'utf8'), mode: statSync(path).mode };
  } catch (thrown) {
    const code = codeOf(thrown) || 'unreadable';
    if (code === 'ENOENT') return null;
    throw new CliError(`the configuration is not valid:\n  ${path} can’t be read (${code}); make it readable, or move it away`, EXIT_CONFIG);
  }
}

/** The first line that says nothing, or another thing than it seems to. */
function findProblem(text: string): string | null {
  let at = 0;
  while (at < text.length) {
    const end = [NOTHING, ENTRY].map((form) => endOf(form, text, at)).find((found) => found !== null);
    const line = `line ${text.slice(0, at).split('\n').length}`;
    if (end === undefined) return `${line} is not NAME=value; a value of several lines, or with quotes, is put into other quotes`;
    if (HASH_INSIDE.test(text.slice(at, end))) return `${line} has a # in its value, where a comment would begin: put the value into quotes`;
    at = end ?? text.length;
  }
  return null;
}

function endOf(form: RegExp, text: string, at: number): number | null {
  form.lastIndex = at;
  return form.test(text) ? form.lastIndex : null;
}

function isOpen(mode: number): boolean {
  return (mode & OTHERS_MAY_READ) !== 0;
}

function hasSecret(variables: Variables): boolean {
  const secrets = describeEnvironment().flatMap(({ name, secret }) => (secret ? [name] : []));
  return secrets.some((name) => (variables[name] ?? '') !== '');
}
