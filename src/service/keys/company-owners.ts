import { z } from 'zod';
import { type Authorship, authorOf } from '../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import { writeServiceActs } from '../audit-log/service-acts.ts';
import { givenNumber } from '../numbers/sequence.ts';

/** A merchant, by `merchantOf`, and an owner of keys. */
type Claim = { merchant: string; ownerId: string; now: Date };

const ownership = rowsOf('compliance.company_owners', z.object({ mine: z.boolean() }));
const firstKeys = rowsOf('compliance.api_keys', z.object({ ownerId: z.string(), test: z.boolean() }));
const moved = rowsOf('compliance.company_owners', z.object({ ownerId: z.string(), shops: z.int() }));

// Until the end of the transaction: of two that claim a merchant at once, the second sees what the first one did.
const LOCK = `select pg_advisory_xact_lock(hashtextextended('company ' || $1, 0))`;

/** Makes the caller the merchant's owner if it has none; false if it belongs to others. */
export async function claimMerchant(tx: Queryable, { merchant, ownerId, now }: Claim): Promise<boolean> {
  await tx.query(LOCK, [merchant]);
  await tx.query(
    `insert into compliance.company_owners (merchant, owner_id, since) select $1, $2, $3
     where not exists (select from compliance.company_owners where merchant = $1)`,
    [merchant, ownerId, now],
  );
  return ownsMerchant(tx, { merchant, ownerId });
}

/** In one order, so that of two who change to each other's company none waits for the other for ever. */
export async function lockMerchants(tx: Queryable, merchants: readonly string[]): Promise<void> {
  for (const merchant of merchants.toSorted()) await tx.query(LOCK, [merchant]);
}

/** Ends the claim of an owner who has no shop of the merchant any more, unless a number of it was given, or the operator let them in. */
export async function releaseMerchant(tx: Queryable, { merchant, ownerId }: Omit<Claim, 'now'>): Promise<void> {
  await tx.query(LOCK, [merchant]);
  await tx.query(
    `delete from compliance.company_owners where merchant = $1 and owner_id = $2 and not granted and ${givenNumber('$1')} is null
      and not exists (select from compliance.shops s where s.merchant = $1 and s.api_key_id = $2)`,
    [merchant, ownerId],
  );
}

/** May this owner create shops of the merchant? */
export async function ownsMerchant(db: Queryable, { merchant, ownerId }: Omit<Claim, 'now'>): Promise<boolean> {
  const text = 'select exists (select from compliance.company_owners where merchant = $1 and owner_id = $2) as mine';
  return (await readOne(db, ownership, { text, values: [merchant, ownerId] })).mine;
}

/** `move`: the merchant is taken from all others. */
type Grant = { keyId: string; merchant: string; move: boolean; now: Date; said: Authorship };

/** `from`: the owners that it was taken from, each with its shops of the merchant, which take no new orders. */
export type GrantedCompany = { ok: true; ownerId: string; from: { ownerId: string; shops: number }[] } | { ok: false; why: 'no-key' | 'test-key' };

/** Lets the owner of a key create shops and new orders of a merchant, or confirms that they may. */
export function grantMerchant(pool: Pool, { keyId, merchant, move, now, said }: Grant): Promise<GrantedCompany> {
  return inTransaction(pool, async (tx) => {
    await tx.query(LOCK, [merchant]);
    const first = await readRow(tx, firstKeys, {
      text: 'select coalesce(owner_id, id) as "ownerId", test from compliance.api_keys where id = $1',
      values: [keyId],
    });
    if (first === null) return { ok: false, why: 'no-key' };
    if (first.test) return { ok: false, why: 'test-key' };
    const { ownerId } = first;
    await tx.query(
      `insert into compliance.company_owners (merchant, owner_id, since, granted) values ($1, $2, $3, true)
       on conflict (merchant, owner_id) do update set granted = true`,
      [merchant, ownerId, now],
    );
    const from = move ? await readRows(tx, moved, { text: MOVE, values: [merchant, ownerId] }) : [];
    const after = { ownerId, ...(move && { from: from.map((one) => one.ownerId) }) };
    await writeServiceActs(tx, [{ ...authorOf(said), act: 'company.granted', subject: merchant, after }]);
    return { ok: true, ownerId, from };
  });
}

const MOVE = `
  with gone as (delete from compliance.company_owners where merchant = $1 and owner_id <> $2 returning owner_id)
  select g.owner_id as "ownerId", (select count(*)::int from compliance.shops s where s.merchant = $1 and s.api_key_id = g.owner_id) as shops
  from gone g order by 1`;
