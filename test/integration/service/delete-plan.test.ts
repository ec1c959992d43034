import { expect, test } from 'vitest';
import { z } from 'zod';
import { readOne, readRows, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { termAt } from '../../../src/service/term.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const scans = rowsOf('pg_stat_xact_user_tables', z.object({ table: z.string(), scans: z.coerce.number(), rows: z.coerce.number() }));
const keyRow = rowsOf('compliance.shops', z.object({ key: z.string() }));

// The transaction's own counters, not a plan: what was read is counted, in the function too.
async function scansOfDelete(w: AuditWorld, id: string) {
  const { key } = await readOne(w.server.pool, keyRow, { text: 'select api_key_id as key from compliance.shops where id = $1', values: [w.shopId] });
  const { today, firstOpen } = termAt(w.now());
  const client = await w.server.pool.connect();
  try {
    // What the session read before is not counted.
    await client.query('select pg_stat_force_next_flush()');
    await client.query('begin');
    const { rows } = await client.query('select compliance.delete_order($1, $2, $3, $4, $5, $6) as deleted', [id, key, w.now(), today, firstOpen, []]);
    expect(rows).toEqual([{ deleted: true }]);
    return await readRows(client, scans, {
      text: `select relname as table, seq_scan as scans, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables where schemaname = 'compliance'
         and relname in ('orders', 'deleted_orders', 'filed_sales', 'returns', 'voided_numbers', 'audit_files', 'audit_months')`,
    });
  } finally {
    await client.query('rollback');
    client.release();
  }
}

test('D20: a delete reads no table whole, and few rows, in an open month and in a closed one', async () => {
  await using w = await worlds.audit(OCTOBER);
  for (let n = 0; n < 40; n += 1) {
    const { id } = await w.create(october(n));
    if (n % 2 === 0) await w.remove(id);
  }
  const last = await w.create(october(100));

  for (const clock of [OCTOBER, '2026-11-18T10:00:00Z']) {
    w.setClock(clock);
    const read = await scansOfDelete(w, last.id);
    expect(read.filter((one) => one.scans > 0)).toEqual([]);
    expect(read.filter(({ rows }) => rows >= 12)).toEqual([]);
  }
});
