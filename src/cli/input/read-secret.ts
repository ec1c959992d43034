import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Credentials } from '../../bridge/ledger/destination-store.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';

type Source = Pick<CliContext, 'stdin' | 'cwd'>;

/** A secret as it was given: `-` is read from standard input, `@FILE` from a file, anything else is the secret itself. */
export async function readSecret(context: Source, flag: string, given: string): Promise<string> {
  const secret = withoutLineEnd(await sourceText(context, flag, given));
  if (secret === '') throw new CliError(`${flag} is empty; give the secret, - to read it from standard input, or @FILE`);
  return secret;
}

async function sourceText({ stdin, cwd }: Source, flag: string, given: string): Promise<string> {
  if (given === '-') return text(stdin);
  if (!given.startsWith('@')) return given;
  const path = resolve(cwd, given.slice(1));
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    throw new CliError(`${flag} can't be read from ${path} (${thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unreadable'})`);
  }
}

// The line end that echo and editors add is never part of a secret.
function withoutLineEnd(secret: string): string {
  return secret.replace(/\r?\n$/, '');
}

/** The flags of every command that can call the compliance API with a key other than the configured one. */
export const KEY_FLAGS = {
  key: ['--compliance-key <key>', 'API key of the compliance service; default: COMPLIANCE_API_KEY, or the embedded service’s own key'],
  secret: ['--compliance-secret <secret>', 'API secret that goes with it (- for standard input, @FILE for a file)'],
} as const;

export type KeyOptions = { complianceKey?: string; complianceSecret?: string };

/** The API key that was given; null: the configured one. */
export async function readCredentials(context: Source, { complianceKey, complianceSecret }: KeyOptions): Promise<Credentials | null> {
  if (complianceKey === undefined && complianceSecret === undefined) return null;
  if (complianceKey === undefined || complianceSecret === undefined) throw new CliError('--compliance-key and --compliance-secret go together: give both');
  return {
    apiKey: await readSecret(context, '--compliance-key', complianceKey),
    apiSecret: await readSecret(context, '--compliance-secret', complianceSecret),
  };
}

/** Standard input can be read once. */
export function oneFromStdin(values: Record<string, string | undefined>): void {
  const flags = Object.keys(values).filter((flag) => values[flag] === '-');
  if (flags.length > 1) throw new CliError(`${flags.join(' and ')} can't both come from standard input; give one of them as @FILE`);
}
