import type { Connection } from '../../bridge/connections/connection.ts';
import { everyTraffic } from '../../bridge/ledger/read-traffic.ts';
import { storePauses } from '../../bridge/ledger/store-calls.ts';
import { watchStates } from '../../bridge/ledger/watch-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { deliveryWarnings } from '../connections/delivery-warnings.ts';
import { orderWarnings } from '../connections/order-warnings.ts';
import { pausesOfStore, storePauseWords } from '../connections/store-pauses.ts';
import { subscriptionWarnings } from '../connections/subscription-warnings.ts';
import type { CheckFinding } from './check-finding.ts';

type Deps = { pool: Pool; connections: { list(): Promise<Connection[]> } };

/** Stores whose API is paused: the orders of that store wait for it, and no others. */
export async function checkStores({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const what = 'store APIs';
  const [all, pauses] = await Promise.all([connections.list(), storePauses(pool)]);
  const findings = all.flatMap((connection) =>
    pausesOfStore(connection, pauses).map((pause): CheckFinding => ({ what, verdict: 'remark', words: `${connection.id}: ${storePauseWords(pause)}` })),
  );
  return findings.length > 0 ? findings : [{ what, verdict: 'ok', words: 'none is paused' }];
}

/** The webhooks of stores that can be listed, as they were the last time. */
export async function checkSubscriptions({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const what = 'webhooks';
  const [all, watches] = await Promise.all([connections.list(), watchStates(pool)]);
  const findings = all.flatMap((connection) => {
    const { wrong, remarks } = subscriptionWarnings(connection, watches.get(connection.id));
    const finding = (verdict: CheckFinding['verdict']) => (words: string) => ({ what, verdict, words: `${connection.id}: ${words}` });
    return [...wrong.map(finding('wrong')), ...remarks.map(finding('remark'))];
  });
  return findings.length > 0 ? findings : [{ what, verdict: 'ok', words: 'nothing is known to be wrong with those of any store' }];
}

/** What the orders of each connection tell, taken together: sales that may be missing, or are recorded without VAT. */
export async function checkConnections({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const what = 'orders';
  const warnings = await orderWarnings(pool, await connections.list(), Date.now());
  const findings = [...warnings].flatMap(([id, words]) => words.map((each): CheckFinding => ({ what, verdict: 'remark', words: `${id}: ${each}` })));
  return findings.length > 0 ? findings : [{ what, verdict: 'ok', words: 'no connection has orders that seem to be left out, or to lack their VAT' }];
}

/** Stores whose webhooks are refused one after the other: their orders are missed, or a disconnected one still sends. */
export async function checkDeliveries({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const what = 'webhooks';
  const [all, traffic] = await Promise.all([connections.list(), everyTraffic(pool)]);
  const of = new Map(traffic.map((one) => [one.connectionId, one]));
  const warnings = all.flatMap((connection) => deliveryWarnings(connection, of.get(connection.id), Date.now()).map((words) => `${connection.id}: ${words}`));
  if (warnings.length > 0) return warnings.map((words) => ({ what, verdict: 'remark', words }));
  return [{ what, verdict: 'ok', words: 'no store’s are refused one after the other' }];
}
