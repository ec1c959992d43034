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

/**
 * SQL that makes the table of a trail, for a migration. Databases were made with this text: it stays as it is, and a column that is added later is a
 * separate text.
 */
export function trailTable({ schema }: Trail): string {
  return `
-- Who did what, written in the transaction of the act. No foreign keys: it outlives what it names.
create table ${schema}.acts (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  who text not null,
  act text not null,
  connection_id text,
  order_ref bigint,
  subject text,
  before jsonb,
  after jsonb,
  why text
);
create index acts_of_order on ${schema}.acts (order_ref, id) where order_ref is not null;
create index acts_of_connection on ${schema}.acts (connection_id, id) where connection_id is not null;
create index acts_at on ${schema}.acts using brin (at) with (pages_per_range = 16, autosummarize = on);
create function ${schema}.acts_stay() returns trigger language plpgsql as $$
begin
  raise exception 'acts are only added, never changed or deleted';
end $$;
create trigger acts_stay before update or delete on ${schema}.acts for each row execute function ${schema}.acts_stay();
create trigger acts_stay_whole before truncate on ${schema}.acts for each statement execute function ${schema}.acts_stay();
`;
}
