import { CliError } from '../../platform/terminal/context.ts';

/** What every command understands that takes an order. */
export const ORDER =
  'the order: its number (with or without #; a shell needs quotes around #), platform order id, document number, compliance id, or id:N (its id in the ledger)';

/** The reason of a decision, which the trail keeps. */
export function givenWhy(why: string | undefined): string {
  if (why === undefined || why.trim() === '') throw new CliError('say why: --why "…", in words that somebody else understands later');
  return why.trim();
}
