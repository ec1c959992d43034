import { z } from 'zod';
import { inTransaction, type Pool, type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { openOrNull, type SealedPlace } from '../../../platform/seal.ts';

/** All but `address` are hashes. `address`: the mailbox, if it is to become the merchant's. */
export type NewCode = { onboarding: string; mailbox: Buffer; address: string | null; browser: Buffer; code: Buffer };

const placeOf = (code: Buffer): SealedPlace => ({ table: 'bridge.merchant_codes', column: 'address', id: code.toString('hex') });

/** So many are mailed: to a mailbox in some hours, whoever asks, and by a merchant in an hour. */
type Limits = { minutes: number; perMailbox: { hours: number; most: number }; perMerchant: number };

/** False: enough of them were mailed lately, and no mail is to go. */
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
        where (select count(*) from merchant_codes where mailbox = $2 and made_at > now() - $9 * interval '1 hour') < $7
          and (select count(*) from merchant_codes where onboarding = $1 and made_at > now() - interval '1 hour') < $8`,
      [
        ...[onboarding, mailbox, address === null ? null : sealerOf(tx).seal(address, placeOf(code)), browser, code, minutes],
        ...[perMailbox.most, perMerchant, perMailbox.hours],
      ],
    );
    return rowCount === 1;
  });
}

const tried = rowsOf('merchant_codes', z.object({ address: z.string().nullable(), mailbox: z.instanceof(Buffer), isRight: z.boolean(), isFirst: z.boolean() }));

export type CodeTry = Pick<NewCode, 'onboarding' | 'browser' | 'code'> & { mostTries: number; openMinutes: number };

/** `isFirst`: this is not a press that was doubled. */
export type TakenCode = Pick<NewCode, 'address' | 'mailbox'> & { isFirst: boolean };

// A code that is right is used up by the same statement that looks, so that it is taken once, whoever presses at the same moment.
const TRY = `update merchant_codes set tries = tries + 1, used_at = case when code = $3 then coalesce(used_at, now()) end,
    opened_until = case when code = $3 then coalesce(opened_until, now() + $4 * interval '1 minute') end
  where onboarding = $1 and browser = $2 and expires_at > now() and tries < $5 and (used_at is null or code = $3 and used_at > now() - interval '1 minute')
  returning address, mailbox, code = $3 as "isRight", coalesce(used_at = now(), false) as "isFirst"`;

/** Acts with the code in the transaction that takes it. Each try counts for every code that this browser waits for. Null: it is none of them, or does not open. */
export function takingCode<T>(pool: Pool, given: CodeTry, act: (tx: Queryable, taken: TakenCode) => Promise<T>): Promise<T | null> {
  const { onboarding, browser, code, openMinutes, mostTries } = given;
  return inTransaction(pool, async (tx) => {
    const all = await readRows(tx, tried, { text: TRY, values: [onboarding, browser, code, openMinutes, mostTries] });
    const taken = all.find(({ isRight }) => isRight);
    if (taken === undefined) return null;
    if (taken.address === null) return act(tx, { ...taken, address: null });
    const address = openOrNull(sealerOf(tx), taken.address, placeOf(code));
    return address === null ? null : act(tx, { ...taken, address });
  });
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
