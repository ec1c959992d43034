import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { shutOut } from './change-person.ts';
import { useLink, voidLinks } from './link-store.ts';
import { deletePasskeysOf, type PasskeyProof, usePasskey } from './passkey-store.ts';
import { raiseAccessVersion, type StoredPerson } from './people-store.ts';
import { writePersonAct } from './person-acts.ts';
import { type Confirming, confirmSession, endSessionsOf } from './session-store.ts';

/** Where the secrets are sealed. */
export const SEALED_FACTORS = { table: 'bridge.people', column: 'factor' } as const;

type Checked = Pick<StoredPerson, 'id' | 'accessVersion'>;
type Holder = Checked & Pick<StoredPerson, 'hasFactor'>;

const kept = rowsOf('people', z.object({ factor: z.string().nullable(), step: z.coerce.number(), codes: z.int() }));

/** The sealed secret of a person, the newest step of time that was used, and how many recovery codes are left. */
export function factorOf(db: Queryable, id: string): Promise<z.output<typeof kept.schema> | null> {
  return readRow(db, kept, { text: 'select factor, factor_step as step, cardinality(recovery_codes) as codes from people where id = $1', values: [id] });
}

/** `factor`: sealed. `step`: of the code by which it was proved. `codes`: SHA-256 of the recovery codes. */
export type NewFactor = { factor: string; step: number; codes: readonly Buffer[] };

/** Within a transaction; sessions but for `allBut` end. False: what was checked of the person no longer holds, such as that there was no factor yet. */
export async function writeFactor(
  tx: Queryable,
  { id, accessVersion, hasFactor }: Holder,
  { factor, step, codes, allBut = null }: NewFactor & { allBut?: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update people set factor = $3, factor_step = $4, recovery_codes = $5 where id = $1 and access_version = $2 and disabled_at is null
      and (factor is null or $6)`,
    [id, accessVersion, factor, step, codes, hasFactor],
  );
  if (rowCount !== 1) return false;
  await writePersonAct(tx, { act: 'person.factor-set', subject: id, who: `person:${id}` });
  await endSessionsOf(tx, { person: id, allBut });
  return true;
}

/** Of somebody who is signed in: sign-ins that are under way end, too. False: what was checked no longer holds. */
export async function keepFactor(pool: Pool, person: Holder, { session, ...given }: NewFactor & { session: string }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    if (!(await writeFactor(tx, person, { ...given, allBut: session }))) return false;
    await raiseAccessVersion(tx, person.id);
    await tx.query('update sessions set factor_at = now() where id = $1', [session]);
    await voidLinks(tx, { person: person.id, kinds: ['sign-in', 'factor'] });
    return true;
  });
}

/** What is right, and is used up: a step of time, a recovery code (SHA-256), or what a passkey signed. */
export type FactorProof = { step: number } | { recoveryCode: Buffer } | PasskeyProof;

/** Within a transaction; of two who use the same at once one may. False: it was used, or what was checked of the person no longer holds. */
async function useFactor(tx: Queryable, { id, accessVersion }: Checked, proof: FactorProof): Promise<boolean> {
  if ('passkey' in proof) return usePasskey(tx, { id, accessVersion }, proof);
  const isCode = 'recoveryCode' in proof;
  const { rowCount } = await tx.query(
    `update people set ${isCode ? 'recovery_codes = array_remove(recovery_codes, $3)' : 'factor_step = $3'}
      where id = $1 and access_version = $2 and disabled_at is null and factor is not null and ${isCode ? '$3::bytea = any (recovery_codes)' : 'factor_step < $3'}`,
    [id, accessVersion, isCode ? proof.recoveryCode : proof.step],
  );
  if (rowCount === 1 && isCode) await writePersonAct(tx, { act: 'person.code-used', subject: id, who: `person:${id}` });
  return rowCount === 1;
}

/** A half-made sign-in is used up together with the factor. */
export async function useHalfSignIn(tx: Queryable, person: Checked, { token, proof }: { token: Buffer; proof: FactorProof }): Promise<boolean> {
  return (await useFactor(tx, person, proof)) && (await useLink(tx, token, 'factor'));
}

/** Somebody who is signed in proves again who they are. */
export function confirmByFactor(pool: Pool, { proof, ...confirming }: Confirming & { proof: FactorProof }): Promise<boolean> {
  return inTransaction(pool, async (tx) => (await useFactor(tx, confirming.person, proof)) && (await confirmSession(tx, confirming, 'code')));
}

/** New recovery codes instead of those of before. False: what was checked no longer holds, as another press made some, of which its page shows the text. */
export async function writeCodes(pool: Pool, { id, accessVersion }: Checked, codes: readonly Buffer[]): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `update people set recovery_codes = $3, access_version = access_version + 1
        where id = $1 and access_version = $2 and disabled_at is null and factor is not null`,
      [id, accessVersion, codes],
    );
    if (rowCount === 1) await writePersonAct(tx, { act: 'person.codes-made', subject: id, who: `person:${id}` });
    return rowCount === 1;
  });
}

/** The factor is taken away, and passkeys with it. `isReset`: by somebody else, so that their sessions and links end, too. False: there was none. */
export async function endFactor(pool: Pool, { id }: Pick<StoredPerson, 'id'>, { by, isReset }: { by: string; isReset: boolean }): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(`update people set factor = null, recovery_codes = '{}' where id = $1 and factor is not null`, [id]);
    if (rowCount !== 1) return false;
    await deletePasskeysOf(tx, id);
    if (isReset) await shutOut(tx, id);
    await writePersonAct(tx, { act: isReset ? 'person.factor-reset' : 'person.factor-ended', subject: id, who: by });
    return true;
  });
}

/** From the first sign-in on that asks for it. */
export async function beginFactorDays(db: Queryable, id: string, days: number): Promise<void> {
  await db.query(`update people set factor_due_at = now() + $2 * interval '1 day' where id = $1 and factor_due_at is null`, [id, days]);
}
