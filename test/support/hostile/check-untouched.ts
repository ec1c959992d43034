import type { HostileStage } from './hostile-stage.ts';
import { merchantNames } from './merchant.ts';
import type { Meaning } from './shot.ts';
import { noneOf, type Verdict } from './verdict.ts';

/** Nothing came of bodies that were signed for something else. */
export async function checkUntouched({ pool, merchants }: HostileStage, meant: readonly Meaning[]): Promise<Verdict[]> {
  const closed = await pool.query<{ id: string }>('select id from bridge.connections where closed_at is not null');
  const names = new Map(merchantNames.map((name) => [merchants[name].connectionId, name]));
  const gone = await pool.query<{ order_id: string }>(
    'select order_id from bridge.orders o join bridge.customers c on c.order_ref = o.id where c.data is null',
  );
  const erased = new Set(meant.flatMap((one) => (one.kind === 'erased' ? [one.id] : [])));
  return [
    noneOf(
      'no relabelled body disconnects a store',
      closed.rows.map(({ id }) => names.get(id) ?? id),
    ),
    noneOf(
      'no relabelled body erases a buyer',
      gone.rows.flatMap(({ order_id: id }) => (erased.has(id) ? [] : [`order ${id}`])),
    ),
  ];
}
