import type { Connection } from '../../bridge/connections/connection.ts';
import { storePauses } from '../../bridge/ledger/store-calls.ts';
import { watchStates } from '../../bridge/ledger/watch-store.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
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

/** What is worth knowing of the webhooks of stores that can be listed, beside what is wrong with them. */
export async function subscriptionRemarks({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const [all, watches] = await Promise.all([connections.list(), watchStates(pool)]);
  return all.flatMap((connection) => {
    const { remarks } = subscriptionWarnings(connection, watches.get(connection.id));
    return remarks.map((words): CheckFinding => ({ what: 'webhooks', verdict: 'remark', words: `${connection.id}: ${words}` }));
  });
}

/** What the orders of each connection tell, taken together: sales that may be missing, or are recorded without VAT. */
export async function checkConnections({ pool, connections }: Deps): Promise<CheckFinding[]> {
  const what = 'orders';
  const warnings = await orderWarnings(pool, await connections.list(), Date.now());
  const findings = [...warnings].flatMap(([id, words]) => words.map((each): CheckFinding => ({ what, verdict: 'remark', words: `${id}: ${each}` })));
  return findings.length > 0 ? findings : [{ what, verdict: 'ok', words: 'no connection has orders that seem to be left out, or to lack their VAT' }];
}
