import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { Credentials } from '../../bridge/ledger/connections/destination-store.ts';
import { form } from '../../contract/plural.ts';
import { codeOf } from '../../platform/error-words.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note } from '../../platform/terminal/print.ts';
import type { KeyOptions } from './shared-options.ts';

type Source = Pick<CliContext, 'stdin' | 'stderr' | 'cwd'>;

const PROMPT = 'prompt';

/** A secret as it was given: `prompt` asks at the terminal, `-` is read from standard input, `@FILE` from a file, anything else is the secret itself. */
export async function readSecret(context: Source, flag: string, given: string): Promise<string> {
  const secret = withoutLineEnd(await sourceText(context, flag, given));
  if (secret === '') throw new CliError(`${flag} is empty; give prompt, - to read it from standard input, or @FILE`);
  return secret;
}

async function sourceText(source: Source, flag: string, given: string): Promise<string> {
  const { stdin, cwd } = source;
  if (given === PROMPT) return promptSecret(source, flag);
  if (given === '-') return (await import('node:stream/consumers')).text(stdin);
  if (!given.startsWith('@')) return given;
  const path = resolve(cwd, given.slice(1));
  try {
    const secret = await readFile(path, 'utf8');
    if (await couldBeCommitted(path)) note(source, `Warning: ${path} could be committed to git: move it out of the checkout, or name it in .gitignore`);
    return secret;
  } catch (thrown) {
    throw new CliError(`${flag} can't be read from ${path} (${codeOf(thrown) || 'unreadable'})`);
  }
}

// The line end that echo and editors add is never part of a secret.
function withoutLineEnd(secret: string): string {
  return secret.replace(/\r?\n$/, '');
}

/** The API key that was given; null: the configured one. */
export async function readCredentials(context: Source, { complianceKey, complianceSecret }: KeyOptions): Promise<Credentials | null> {
  if (complianceKey === undefined && complianceSecret === undefined) return null;
  if (complianceKey === undefined || complianceSecret === undefined) throw new CliError('--compliance-key and --compliance-secret go together: give both');
  return {
    apiKey: await readSecret(context, '--compliance-key', complianceKey),
    apiSecret: await readSecret(context, '--compliance-secret', complianceSecret),
  };
}

/** Looks at all secrets of a command line before any is read: standard input can be read once, and one that others can see gets a warning. */
export function checkSecretFlags(context: Pick<CliContext, 'stderr'>, values: Record<string, string | undefined>): void {
  const flags = Object.keys(values).filter((flag) => values[flag] !== undefined);
  const piped = flags.filter((flag) => values[flag] === '-');
  if (piped.length > 1) throw new CliError(`${piped.join(' and ')} can't both come from standard input; give one of them as @FILE`);
  const literal = flags.filter((flag) => !isReference(values[flag] ?? ''));
  if (literal.length === 0) return;
  note(
    context,
    `Warning: ${literal.join(', ')} ${form.en(literal.length, 'was', 'were')} given on the command line, where \`ps\` and the history of the shell show it; give prompt, @FILE or -`,
  );
}

function isReference(given: string): boolean {
  return given === '-' || given === PROMPT || given.startsWith('@');
}

/** Exit code of a program that Ctrl-C ended. */
const CANCELLED = 130;

/** Asks a person at a terminal, without showing what is typed. */
async function promptSecret(context: Pick<CliContext, 'stdin' | 'stderr'>, flag: string): Promise<string> {
  const { stdin, stderr } = context;
  if (stdin.isTTY !== true) throw new CliError(`${flag} prompt needs a terminal; give - to read it from standard input, or @FILE`);
  const { createInterface } = await import('node:readline/promises');
  // Readline edits the line and writes what is typed to its output: here, to nothing.
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const asking = createInterface({ input: stdin, output: unseen, terminal: true, historySize: 0 });
  note({ stderr }, `${flag}: type it and press Enter (it is not shown)`);
  const ended = new Promise<never>((_resolve, reject) => {
    asking.once('SIGINT', () => reject(new CliError('cancelled; nothing was changed', CANCELLED)));
    asking.once('close', () => reject(new CliError(`${flag} was not given; nothing was changed`)));
  });
  try {
    return await Promise.race([asking.question(''), ended]);
  } finally {
    asking.close();
  }
}

const GIT_MS = 2_000;

/** Is the file in a git checkout that does not ignore it? Without git nobody can commit it. */
export async function couldBeCommitted(path: string): Promise<boolean> {
  if (!(await isInCheckout(dirname(path)))) return false;
  return new Promise((resolve) => {
    // 0: ignored, 1: not ignored; anything else is no answer. A tracked file is never ignored.
    execFile('git', ['check-ignore', '--quiet', '--', path], { cwd: dirname(path), timeout: GIT_MS }, (error) => resolve(error?.code === 1));
  });
}

/** Most secrets are in no checkout: then git, which may be missing, is not started. */
async function isInCheckout(folder: string): Promise<boolean> {
  const isHere = await stat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
  return isHere || (dirname(folder) !== folder && (await isInCheckout(dirname(folder))));
}
