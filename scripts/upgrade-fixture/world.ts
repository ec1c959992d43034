import type { ScriptedCompliance } from '../../test/support/servers/scripted-compliance.ts';
import { until } from '../../test/support/worlds/settled.ts';
import type { OldProgram, OldServer } from './old-program.ts';
import type { Store } from './stores.ts';

/** Everything that the story of the fixture happens to. */
export type World = {
  program: OldProgram;
  databaseUrl: string;
  /** Another compliance API than ours. */
  remote: ScriptedCompliance;
  /** Stops the queue, and returns the function that ends that. */
  holdQueue(): Promise<{ end(): Promise<void> }>;
};

/** The stores by their part in the story; `remote` and `unknown` are recorded at the other compliance API, the last at a shop that it does not know. */
export type Stores = Record<'own' | 'woo' | 'shopify' | 'closed', Store> & { remote: Store; unknown: Store };

export type Listed = { orderId: string; connectionId: string; state: string; parked: { code: string } | null; complianceId: string | null };

/** Waits until orders are in these states ("kept": "recorded"). */
export async function settled({ program }: World, store: Store, states: Record<string, string>): Promise<void> {
  const wanted = Object.entries(states);
  await until(
    async () => {
      const orders = await program.json<Listed[]>(['orders', '--connection', store.connection]);
      const wrong = wanted.filter(([id, state]) => orders.find(({ orderId }) => orderId === id)?.state !== state);
      if (wrong.length > 0)
        throw new Error(`not yet: ${wrong.join('; ')} of ${JSON.stringify(orders.map(({ orderId, state, parked }) => [orderId, state, parked]))}`);
      return true;
    },
    { what: `orders of ${store.name} to be ${JSON.stringify(states)}`, timeoutMs: 30_000 },
  );
}

/** The orders recorded at our own compliance service. */
export async function standing({ program }: World, store: Store): Promise<{ internalId: string; id: string; edition: number }[]> {
  return program.json(['service', 'orders', 'list', '--shop', store.shop]);
}

/** Makes our own compliance service fail. */
export async function rehearse({ url }: OldServer, faults: readonly object[]): Promise<void> {
  const answer = await fetch(`${url}/rehearsal`, { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ faults }) });
  if (!answer.ok) throw new Error(`the rehearsal was answered ${answer.status}: ${await answer.text()}`);
}
