import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Credentials } from '../../bridge/ledger/destination-store.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note } from '../../platform/terminal/print.ts';
import { couldBeCommitted } from './could-be-committed.ts';
import { promptSecret } from './prompt-secret.ts';
import type { KeyOptions } from './secret-flags.ts';

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
  if (given === '-') return text(stdin);
  if (!given.startsWith('@')) return given;
  const path = resolve(cwd, given.slice(1));
  try {
    const secret = await readFile(path, 'utf8');
    if (await couldBeCommitted(path)) note(source, `Warning: ${path} could be committed to git: move it out of the checkout, or name it in .gitignore`);
    return secret;
  } catch (thrown) {
    throw new CliError(`${flag} can't be read from ${path} (${thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable'})`);
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
    `Warning: ${literal.join(', ')} ${literal.length === 1 ? 'was' : 'were'} given on the command line, where \`ps\` and the history of the shell show it; give prompt, @FILE or -`,
  );
}

function isReference(given: string): boolean {
  return given === '-' || given === PROMPT || given.startsWith('@');
}
