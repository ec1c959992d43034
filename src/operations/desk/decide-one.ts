import type { Notify } from '../../bridge/delivery/notify.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { decideRemoval } from '../orders/decide-removal.ts';
import { mergeOrder, splitOrder } from '../orders/split-or-merge.ts';

type Deps = { pool: Pool; notify: Notify };

/** What a person says of one order of a desk. */
export const oneVerbs = ['other', 'same', 'keep', 'remove'] as const;
export type OneVerb = (typeof oneVerbs)[number];

/** The verbs of orders that are decided one by one, by the code with which they need review. */
export const verbsOfOne: Readonly<Record<string, readonly OneVerb[]>> = { 'order.other': ['other', 'same'], 'removal.unproven': ['keep', 'remove'] };

type Said = { id: number; verb: OneVerb; by: Actor; why: string };

export async function decideOne(deps: Deps, { id, verb, by, why }: Said): Promise<void> {
  const named = `id:${id}`;
  const said = { by, ...(why === '' ? {} : { why }) };
  switch (verb) {
    case 'other':
      await splitOrder(deps, named, said);
      return;
    case 'same':
      await mergeOrder(deps, named, said);
      return;
    case 'keep':
      return decideRemoval(deps, { named, how: 'kept', by, why });
    case 'remove':
      return decideRemoval(deps, { named, how: 'removed', by, why });
  }
}
