/** A table `acts` in a schema: what people did, and what was decided without them; rows are added and never changed. */
export type Trail = { schema: string };

/**
 * Who did it: `cli:USER@HOST` for a command, `person:ID` for somebody in the console, `key:ID` for an API key, `link:ID` for a link in a mail,
 * `merchant:ID` for whoever has the link of an invitation, `orderbridge` for the program itself. Never a buyer, and never an address of a mailbox.
 */
export type Actor = string;

/** The program itself. */
export const PROGRAM: Actor = 'orderbridge';

/** Who does something, and, if a person gave a reason, why. */
export type Said = { by: Actor; why?: string | undefined };

/** What nobody said was decided by the program. */
export const BY_PROGRAM: Said = { by: PROGRAM };

export function authorOf({ by, why }: Said): Pick<Act, 'who' | 'why'> {
  return { who: by, ...(why === undefined ? {} : { why }) };
}

/**
 * One act. `before` and `after` are JSON without secrets and buyers' data; absent: nothing to compare. `subject` is what it was done to besides a
 * connection or an order, such as the id of a delivery, of a shop or of a queue.
 */
export type Act<Kind extends string = string> = {
  who: Actor;
  act: Kind;
  connectionId?: string;
  /** The order's id in the ledger. */
  orderRef?: number;
  subject?: string;
  before?: unknown;
  after?: unknown;
  /** The person's words. */
  why?: string;
};
