import { InvalidArgumentError, Option } from 'commander';
import { CliError } from '../../platform/terminal/context.ts';

/** What every command understands that takes an order. */
export const ORDER =
  'the order: its number (with or without #; a shell needs quotes around #), platform order id, document number, compliance id, or id:N (its id in the ledger)';

/** The reason of a decision, which the audit log keeps. */
export function givenWhy(why: string | undefined): string {
  if (why === undefined || why.trim() === '') throw new CliError('say why: --why "…", in words that somebody else understands later');
  return why.trim();
}

/** Refuses an option that would be ignored without `other`. `given`: by its flag, what was typed. */
export function goesWith(other: string, given: Readonly<Record<string, unknown>>): void {
  for (const [flag, value] of Object.entries(given)) if (value !== undefined) throw new CliError(`${flag} goes with ${other}`);
}

const LONGEST = 500;

/** Why a person decided so, for the audit log. */
export function whyOption(): Option {
  return new Option('--why <text>', 'why, for `orderbridge activity`; without buyers’ data, since it is never erased').argParser((text: string) => {
    const words = text.trim();
    if (words === '' || words.length > LONGEST) throw new InvalidArgumentError(`It must be text of at most ${LONGEST} characters.`);
    return words;
  });
}

/** Ends the help of an option that takes a secret. */
export const SECRET_FORMS = '(prompt asks for it without showing it, - reads standard input, @FILE a file)';

/** The flags of every command that can call the compliance API with a key other than the configured one. */
export const KEY_FLAGS = {
  key: ['--compliance-key <key>', 'API key of the compliance service; default: COMPLIANCE_API_KEY, or the embedded service’s own key'],
  secret: ['--compliance-secret <secret>', `API secret that goes with it ${SECRET_FORMS}`],
} as const;

export type KeyOptions = { complianceKey?: string; complianceSecret?: string };

/** The flags of commands that release many orders. `wait` is in seconds. */
export type OneFirstOptions = { allAtOnce?: true; wait?: number };

export const ALL_AT_ONCE = ['--all-at-once', 'release all together, although they are more than 20'] as const;
export const WAIT = ['--wait <seconds>', 'how long to wait for what becomes of the order that goes first (default: 60)'] as const;
