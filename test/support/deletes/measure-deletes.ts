import { termAt } from '../../../src/service/term.ts';
import { startPostgres } from '../servers/postgres.ts';
import { type AuditWorld, startAuditWorld } from '../worlds/audit-world.ts';
import { OCTOBER } from '../worlds/october.ts';
import { fillTables } from './fill-tables.ts';

/** In milliseconds. */
export type Measured = { median: number; p95: number };

const AFTER_TERM = '2026-11-20T10:00:00Z';

/** How long deletes take in the database, from an open month and from a closed one, each in a transaction of its own. */
export async function measureDeletes({ rows, deletes }: { rows: number; deletes: number }): Promise<{ open: Measured; closed: Measured }> {
  await using postgres = await startPostgres();
  await using w = await startAuditWorld(await postgres.createDatabase('service'), OCTOBER);
  const { orderId } = await fillTables(w, rows);
  const step = Math.floor(rows / (2 * deletes + 2));
  const timesOf = async (first: number) => {
    const times: number[] = [];
    for (let i = 0; i < deletes; i += 1) times.push(await timed(w, await orderId(1 + first + 2 * step * i)));
    return times.toSorted((a, b) => a - b);
  };
  w.setClock(OCTOBER);
  const open = measured(await timesOf(0));
  w.setClock(AFTER_TERM);
  return { open, closed: measured(await timesOf(step)) };
}

async function timed(w: AuditWorld, id: string): Promise<number> {
  const { today, firstOpen } = termAt(w.now());
  const values = [id, w.credentials.id, w.now(), today, firstOpen, []];
  const began = performance.now();
  const { rows } = await w.server.pool.query('select compliance.delete_order($1, $2, $3, $4, $5, $6) as deleted', values);
  const took = performance.now() - began;
  if (rows[0].deleted !== true) throw new Error(`order ${id} was not deleted`);
  return took;
}

function measured(times: readonly number[]): Measured {
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { median: at(0.5), p95: at(0.95) };
}
