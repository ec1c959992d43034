import type { Connection } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { type KeptOrder, ordersOfIds } from '../../bridge/ledger/orders/read-orders.ts';
import { type ReviewOrder, reviewOrders } from '../../bridge/ledger/review/review-groups.ts';
import { decimalsOf, moneyText, parseMoney } from '../../contract/money.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { decideRemoval } from '../orders/resolve-order.ts';
import { mergeOrder, splitOrder } from '../orders/split-or-merge.ts';
import { type Chosen, chosenElsewhere, chosenIn } from './chosen-settings.ts';
import { type IssueGroup, issueGroup, type SeenShops } from './issue-group.ts';

type Deps = { pool: Pool; connections: FindConnection; now(): Date };

/** `stores`: their names. */
export type Elsewhere = { chosen: Chosen; stores: string[] };

/** One issue with all that answers it. */
export type Issue = {
  group: IssueGroup;
  connection: Connection;
  /** What is set now for each of its settings. */
  chosen: Chosen[];
  /** What other stores chose. */
  elsewhere: Elsewhere[];
  /** The newest ones. */
  orders: ReviewOrder[];
  /** Of the first few, if that is what does not agree. */
  mismatches: LinesAndPaid[];
};

const SHOWN = 50;
const COMPARED = 10;

/** Null: nobody is asked this any more. */
export async function openIssue({ pool, connections, now }: Deps, { id, shops }: SeenShops & { id: string }): Promise<Issue | null> {
  const group = await issueGroup({ pool, connections, now }, { id, shops });
  if (group === null) return null;
  const [connection, all, orders] = await Promise.all([
    knownConnection(connections, group.connectionId),
    connections.list(),
    reviewOrders(pool, group, { limit: SHOWN }),
  ]);
  const seen = all.filter(({ shopId }) => shops === null || shops.includes(shopId));
  return {
    ...{ group, connection, orders },
    chosen: group.settings.map((setting) => chosenIn(connection, setting)),
    elsewhere: group.settings.flatMap((setting) => chosenElsewhere(seen, { connectionId: connection.id, setting })),
    mismatches: group.code === 'total.mismatch' ? await compared(pool, orders) : [],
  };
}

async function compared(pool: Pool, orders: readonly ReviewOrder[]): Promise<LinesAndPaid[]> {
  const ids = orders.slice(0, COMPARED).map(({ id }) => id);
  return (await ordersOfIds(pool, ids)).flatMap((order) => linesAndPaid(order) ?? []);
}

/** An order of a group as it is asked about now; null: it is not among them any more. */
export async function orderOfIssue({ pool }: { pool: Pool }, group: IssueGroup, id: number): Promise<ReviewOrder | null> {
  const [order] = await reviewOrders(pool, group, { limit: 1, only: id });
  return order ?? null;
}

/** What a person says of one order of an issue. */
const oneVerbs = ['other', 'same', 'keep', 'ours', 'remove'] as const;
export type OneVerb = (typeof oneVerbs)[number];

/** The verbs of orders that are decided one by one, by the code with which they need review. */
export const verbsOfOne: Readonly<Record<string, readonly OneVerb[]>> = {
  'order.other': ['other', 'same'],
  'removal.unproven': ['keep', 'remove'],
  'payment.divided': ['ours'],
};

type OneDecision = { id: number; verb: OneVerb; by: Actor; why: string };

export async function decideOne(deps: { pool: Pool; notify: Notify }, { id, verb, by, why }: OneDecision): Promise<void> {
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
    case 'ours':
      return decideRemoval(deps, { named, how: 'kept', by, why });
    case 'remove':
      return decideRemoval(deps, { named, how: 'removed', by, why });
  }
}

/** The lines of an order next to what was paid; sums such as `36.00 EUR`. */
export type LinesAndPaid = {
  id: number;
  number: string | null;
  lines: { name: string; quantity: string; amount: string }[];
  sum: string;
  paid: string;
  /** What the lines lack, or have above it; null: they agree before refunds. */
  gap: { is: 'missing' | 'above'; amount: string } | null;
};

/** Null: an amount of it is none of its currency. */
export function linesAndPaid({ id, number, facts: { snapshot } }: Pick<KeptOrder, 'id' | 'number' | 'facts'>): LinesAndPaid | null {
  if (snapshot === null) return null;
  const { currency } = snapshot;
  const minor = (text: string) => parseMoney(text, decimalsOf(currency));
  const lines = snapshot.lines.flatMap(({ name, quantity, gross, discount }) => {
    const [before, off] = [minor(gross), minor(discount)];
    return before === undefined || off === undefined ? [] : [{ name, quantity, amount: before - off }];
  });
  const paid = minor(snapshot.total);
  if (paid === undefined || lines.length < snapshot.lines.length) return null;
  const sum = lines.reduce((all, { amount }) => all + amount, 0n);
  const gap = paid - sum;
  return {
    ...{ id, number, sum: moneyText(sum, currency), paid: moneyText(paid, currency) },
    lines: lines.map((line) => ({ ...line, amount: moneyText(line.amount, currency) })),
    gap: gap === 0n ? null : { is: gap > 0n ? 'missing' : 'above', amount: moneyText(gap > 0n ? gap : -gap, currency) },
  };
}
