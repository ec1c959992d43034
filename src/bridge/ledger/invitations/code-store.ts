import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';

/** All but `address` are hashes. `address`: the mailbox, if it is to become the merchant's. */
export type NewCode = { onboarding: string; mailbox: Buffer; address: string | null; browser: Buffer; code: Buffer };

/** `perMailbox`, `perMerchant`: so many are mailed in an hour. */
type Limits = { minutes: number; perMailbox: number; perMerchant: number };

/** False: enough of them were mailed in the last hour, and no mail is to go. */
export function insertCode(
  pool: Pool,
  { onboarding, mailbox, address, browser, code }: NewCode,
  { minutes, perMailbox, perMerchant }: Limits,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    // Of two at once, for one mailbox or one merchant, the second sees what the first one did.
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('codes', 0))`);
    const { rowCount } = await tx.query(
      `insert into merchant_codes (onboarding, mailbox, address, browser, code, expires_at) select $1, $2, $3, $4, $5, now() + $6 * interval '1 minute'
        where (select count(*) from merchant_codes where mailbox = $2 and made_at > now() - interval '1 hour') < $7
          and (select count(*) from merchant_codes where onboarding = $1 and made_at > now() - interval '1 hour') < $8`,
      [onboarding, mailbox, address, browser, code, minutes, perMailbox, perMerchant],
    );
    return rowCount === 1;
  });
}

const tried = rowsOf('merchant_codes', z.object({ address: z.string().nullable(), mailbox: z.instanceof(Buffer), isRight: z.boolean() }));

export type CodeTry = Pick<NewCode, 'onboarding' | 'browser' | 'code'> & { isNewMailbox: boolean; mostTries: number; openMinutes: number };

// A code that is right is used up by the same statement that looks, so that it is taken once, whoever presses at the same moment.
const TRY = `update merchant_codes set tries = tries + 1, used_at = case when code = $3 then now() end,
    opened_until = case when code = $3 then now() + $5 * interval '1 minute' end
  where onboarding = $1 and browser = $2 and (address is not null) = $4 and used_at is null and expires_at > now() and tries < $6
  returning address, mailbox, code = $3 as "isRight"`;
// A press that was doubled.
const AGAIN = `select address, mailbox, false as "isRight" from merchant_codes where onboarding = $1 and browser = $2 and code = $3 and (address is not null) = $4
  and used_at > now() - interval '1 minute'`;

/** Each try counts for every code that this browser waits for. again: the same was pressed a moment ago; null: it is none of them. */
export async function tryCode(db: Queryable, given: CodeTry): Promise<({ is: 'taken' } & Pick<NewCode, 'address' | 'mailbox'>) | { is: 'again' } | null> {
  const { onboarding, browser, code, isNewMailbox, openMinutes, mostTries } = given;
  const codes = [onboarding, browser, code, isNewMailbox];
  const right = (await readRows(db, tried, { text: TRY, values: [...codes, openMinutes, mostTries] })).find(({ isRight }) => isRight);
  if (right !== undefined) return { is: 'taken', address: right.address, mailbox: right.mailbox };
  return (await readRow(db, tried, { text: AGAIN, values: codes })) === null ? null : { is: 'again' };
}

const openRow = rowsOf('merchant_codes', z.object({ isOpen: z.boolean() }));

/** Did this browser give a code that was mailed to the mailbox which is the merchant's now, a while ago at most? */
export async function isOpenIn(db: Queryable, { onboarding, browser, mailbox }: Pick<NewCode, 'onboarding' | 'browser' | 'mailbox'>): Promise<boolean> {
  const row = await readRow(db, openRow, {
    text: 'select true as "isOpen" from merchant_codes where onboarding = $1 and browser = $2 and mailbox = $3 and opened_until > now() limit 1',
    values: [onboarding, browser, mailbox],
  });
  return row !== null;
}
