import { z } from 'zod';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { readRows, rowsOf } from '../../platform/postgres/read-rows.ts';
import type { Claim } from '../order/decisions/claim.ts';
import type { Step } from '../order/decisions/step.ts';
import { jsonText } from './json-columns.ts';
import { lockClaimed } from './lock-orders.ts';
import { stepOver, withoutRecord } from './order-columns.ts';

/** A step of a claimed order, journaled before it is sent. */
export type BeginInput = { claim: Claim; step: Step };

const begunRows = rowsOf('steps', z.object({ id: z.int() }));

// Whoever knows the connection as it was before its trial must not send: an order that was never recorded is not, until it ends.
export const ON_TRIAL = `o.open_step is null and o.mapping is null and o.record is null and o.previous is null
  and exists (select from connections c where c.id = o.connection_id and c.trial_since is not null)`;

/** A step that is repeated: its record is in the journal. */
export const REPEATED = 'attempts = steps.attempts + 1';

/** A step as the columns that its statement reads. */
export function stepColumns({ claim, step }: BeginInput) {
  return {
    id: claim.id,
    fence: claim.fence,
    seq: step.seq,
    kind: step.kind,
    revision: claim.revision,
    destination: step.destinationId,
    record: step.kind === 'create' ? step.record : null,
    compliance_id: step.kind === 'create' ? null : step.complianceId,
    key: step.kind === 'create' ? step.idempotencyKey : null,
    step: step.kind === 'receipt' ? null : withoutRecord(step),
  };
}

/** The definition of these columns as rows of a statement. */
export const STEP_COLUMNS = `id bigint, fence int, seq int, kind text, revision int, destination uuid, record jsonb,
        compliance_id text, key text, step jsonb`;

/** Journals them in one statement; false: the lease was lost. If the connection breaks meanwhile, the ledger says whether it was carried out. */
export async function beginSteps(pool: Pool, inputs: BeginInput[], leaseMs: number): Promise<boolean[]> {
  try {
    return await journal(pool, inputs, leaseMs);
  } catch (thrown) {
    const begun = await begunAnyway(pool, inputs).catch(() => null);
    if (begun === null) throw thrown;
    return begun;
  }
}

/**
 * What was written by the statement that failed, as far as it shows: a step that its claim did not have open before. Null: none does, and it was not carried
 * out, or not yet. A repeated step does not show it, but was in the same statement.
 */
async function begunAnyway(pool: Pool, inputs: readonly BeginInput[]): Promise<boolean[] | null> {
  const given = inputs.map(({ claim: { id, fence }, step: { seq } }) => ({ id, fence, seq }));
  const rows = await readRows(pool, begunRows, {
    text: `select o.id from json_to_recordset($1::json) as x(id bigint, fence int, seq int) join orders o on o.id = x.id and o.fence = x.fence
      where o.lease_until > now() and x.seq in ((o.open_step ->> 'seq')::int, (o.receipt ->> 'seq')::int)`,
    values: [JSON.stringify(given)],
  });
  const found = new Set(rows.map(({ id }) => id));
  const isSure = inputs.some(({ claim, step }) => step.kind !== 'receipt' && claim.openStep?.seq !== step.seq && found.has(claim.id));
  return isSure ? inputs.map(({ claim }) => found.has(claim.id)) : null;
}

async function journal(pool: Pool, inputs: BeginInput[], leaseMs: number): Promise<boolean[]> {
  const rows = await readRows(pool, begunRows, {
    name: 'begin',
    text: `with given as (select * from jsonb_to_recordset($1) as x(${STEP_COLUMNS})),
      x as materialized (${lockClaimed()}),
      owned as (update orders o set open_step = ${stepOver('x.step', 'o')}, step_seq = greatest(o.step_seq, x.seq), lease_until = now() + $2 * interval '1 ms',
          receipt = case when x.kind = 'receipt' then jsonb_set(o.receipt, '{seq}', to_jsonb(x.seq)) else o.receipt end
        from x where o.id = x.id and o.fence = x.fence and not (x.kind = 'create' and ${ON_TRIAL}) returning o.id)
      insert into steps (order_ref, seq, kind, revision, destination_id, record, compliance_id, idempotency_key)
      select x.id, x.seq, x.kind, x.revision, x.destination, x.record, x.compliance_id, x.key from x join owned using (id)
      on conflict (order_ref, seq) do update set ${REPEATED}
      returning order_ref as id`,
    values: [jsonText(inputs.map(stepColumns)), leaseMs],
  });
  const owned = new Set(rows.map(({ id }) => id));
  return inputs.map(({ claim }) => owned.has(claim.id));
}
