import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../postgres/read-rows.ts';
import { openOrNull } from '../seal.ts';
import { hashOf } from '../token-hash.ts';

/**
 * A table `mail_codes` in a schema, which makes it: codes of a few digits that are mailed, and open something of their owner in the browser that asked for
 * them. `link` means that the column `link_id` is the owner. Of a code nothing is kept: it follows from its random id and the key.
 */
export type MailCodes = { schema: string; owner: string };

const DIGITS = 8;
const MINUTES = 15;
const MOST_TRIES = 5;
/** What a code opened is open for so long. */
const OPEN_MINUTES = 30;
/** So many are mailed to a mailbox, no matter who asks; to one that nobody has confirmed few that nobody gives, since it may be anybody’s. */
const PER_MAILBOX = { confirmed: { whose: 'mailbox = $3', hours: 1, most: 5 }, typed: { whose: 'mailbox = $3 and opened_until is null', hours: 720, most: 3 } };
const PER_OWNER = 10;

/** `browser`: what it keeps, which nobody can guess. */
type OfBrowser = { ownerId: string; browser: string; at: Date };

/** `address`: is sealed, and given to anyone who takes the code. `mail`: puts a mail with the code into an outbox, in the same transaction. */
type CodeRequest = OfBrowser & { mailbox: Buffer; isConfirmed: boolean; address?: string | null; mail?: (tx: Queryable, id: string) => Promise<unknown> };

/** Null: enough of them were mailed lately, and no mail is to go. */
export function makeCode(pool: Pool, { schema, owner }: MailCodes, request: CodeRequest): Promise<string | null> {
  const { ownerId, browser, at, mailbox, isConfirmed, address = null, mail } = request;
  const id = randomUUID();
  return inTransaction(pool, async (tx) => {
    // Of two at once, for one mailbox or one owner, the second sees what the first one did.
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${schema}.mail_codes`]);
    const { whose, hours, most } = PER_MAILBOX[isConfirmed ? 'confirmed' : 'typed'];
    const made = (which: string, within: number) =>
      `(select count(*) from ${schema}.mail_codes where ${which} and made_at > $6::timestamptz - interval '${within} hours')`;
    const { rowCount } = await tx.query(
      `insert into ${schema}.mail_codes (id, ${owner}_id, mailbox, address, browser, made_at) select $1, $2, $3, $4, $5, $6
        where ${made(whose, hours)} < ${most} and ${made(`${owner}_id = $2`, 1)} < ${PER_OWNER}`,
      [id, ownerId, mailbox, address === null ? null : sealerOf(tx).seal(address, placeOf(schema, id)), hashOf(browser), at],
    );
    if (rowCount === 1) await mail?.(tx, id);
    return rowCount === 1 ? codeOf(tx, id) : null;
  });
}

function placeOf(schema: string, id: string) {
  return { table: `${schema}.mail_codes`, column: 'address', id };
}

function codeOf(db: Queryable, id: string): string {
  const digest = sealerOf(db).digest(`mailed code ${id}`);
  return String(hashOf(digest).readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0');
}

const LIVES = `made_at > $2::timestamptz - interval '${MINUTES} minutes' and tries < ${MOST_TRIES}`;
const ownerRows = rowsOf('mail_codes', z.object({ ownerId: z.string() }));

/** A code that works still, and whose it is. */
export async function liveCode(
  db: Queryable,
  { schema, owner }: MailCodes,
  { id, at }: { id: string; at: Date },
): Promise<{ ownerId: string; code: string } | null> {
  const row = await readRow(db, ownerRows, { text: `select ${owner}_id as "ownerId" from ${schema}.mail_codes where id = $1 and ${LIVES}`, values: [id, at] });
  return row && { ...row, code: codeOf(db, id) };
}

/** The codes of an owner no longer work. They stay for a while: so many were mailed to their mailbox. */
export async function endCodes(db: Queryable, { schema, owner }: MailCodes, ownerId: string): Promise<void> {
  await db.query(
    `update ${schema}.mail_codes set tries = ${MOST_TRIES}, opened_until = opened_until - interval '1 day', address = null where ${owner}_id = $1`,
    [ownerId],
  );
}

const tried = rowsOf('mail_codes', z.object({ id: z.string(), mailbox: z.instanceof(Buffer), address: z.string().nullable(), isFirst: z.boolean() }));

/** `isFirst`: this is not a press that was doubled. */
export type TakenCode = Omit<z.output<typeof tried.schema>, 'id'>;
type Typed<T> = OfBrowser & { typed: string; act: (tx: Queryable, taken: TakenCode) => Promise<T> };

/** Acts with the code in the transaction that takes it. Each try counts for every code that this browser waits for. Null: it is none of them, or does not open. */
export function takeMailedCode<T>(pool: Pool, { schema, owner }: MailCodes, { ownerId, browser, at, typed, act }: Typed<T>): Promise<T | null> {
  return inTransaction(pool, async (tx) => {
    const all = await readRows(tx, tried, {
      text: `update ${schema}.mail_codes set tries = tries + 1
        where ${owner}_id = $1 and ${LIVES} and browser = $3 and (opened_until is null or opened_until > $2::timestamptz + interval '${OPEN_MINUTES - 1} minutes')
        returning id, mailbox, address, opened_until is null as "isFirst"`,
      values: [ownerId, at, hashOf(browser)],
    });
    const taken = all.find(({ id }) => codeOf(tx, id) === typed.replace(/\D/g, ''));
    if (taken === undefined) return null;
    const { id, address, ...rest } = taken;
    if (rest.isFirst) await tx.query(`update ${schema}.mail_codes set opened_until = $2 where id = $1`, [id, new Date(at.getTime() + OPEN_MINUTES * 60_000)]);
    const opened = address === null ? null : openOrNull(sealerOf(tx), address, placeOf(schema, id));
    return opened === null && address !== null ? null : act(tx, { ...rest, address: opened });
  });
}

/** Did this browser give a code that was mailed to this mailbox, a while ago at most? */
export async function isOpenByCode(
  db: Queryable,
  { schema, owner }: MailCodes,
  { ownerId, browser, mailbox, at }: OfBrowser & { mailbox: Buffer },
): Promise<boolean> {
  const open = `select from ${schema}.mail_codes where ${owner}_id = $1 and browser = $2 and mailbox = $3 and opened_until > $4 limit 1`;
  return (await db.query(open, [ownerId, hashOf(browser), mailbox, at])).rowCount === 1;
}
