import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { findDelivery, markReplayed } from '../../bridge/ledger/delivery-store.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { deliveredAgain, type KeptBody, readKept } from '../kept-delivery.ts';
import { Refusal } from '../refusal.ts';
import { noDelivery } from './kept-webhook.ts';

type Deps = {
  pool: Pool;
  connections: FindConnection;
  by: Actor;
  /** Fails if the queue is down. */
  addDeliveries(job: DeliveriesJob): Promise<void>;
};

/** Reads a kept webhook again, and hands it on. `ignored`: why it needs nothing. */
export async function replayDelivery(deps: Deps, id: string): Promise<{ ignored: string | null }> {
  const kept = await keptDelivery(deps, id);
  const { platform } = await knownConnection(deps.connections, kept.connectionId);
  const normalized = await readKept(storefrontOf(storefronts, platform), kept);
  if (normalized.kind === 'unreadable') {
    const why = normalized.problems.map(({ detail }) => detail).join('; ');
    throw new Refusal('conflict', { en: `the delivery ${id} still can't be read: ${why}`, bg: `известие ${id} още не може да бъде прочетено (${why})` });
  }
  // The queue is not in the database: what is written first may not come to pass, but nothing comes to pass unwritten.
  await writeBridgeActs(deps.pool, [{ who: deps.by, act: 'delivery.replayed', connectionId: kept.connectionId, subject: id }]);
  if (normalized.kind !== 'ignored') await deps.addDeliveries({ v: 1, deliveries: [deliveredAgain(kept, normalized)] });
  await markReplayed(deps.pool, id);
  return { ignored: normalized.kind === 'ignored' ? normalized.why : null };
}

async function keptDelivery({ pool }: Deps, id: string): Promise<KeptBody> {
  const found = isUuid(id) ? await findDelivery(pool, id) : null;
  if (found === null) {
    throw new Refusal('missing', noDelivery(id), {
      advice: { en: '`orderbridge review` and `orderbridge order` show the ids', bg: '`orderbridge review` и `orderbridge order` показват идентификаторите' },
    });
  }
  const { body } = found;
  if (body !== null) return { ...found, body };
  const said = {
    en: `the body of the delivery ${id} is gone (its retention time is over, or it was erased)`,
    bg: `съдържанието на известие ${id} вече го няма (срокът му е изтекъл или е заличено)`,
  };
  throw new Refusal('conflict', said, {
    advice: { en: 'save the order in the store, which sends it again', bg: 'запазете поръчката в магазина, който ще го изпрати отново' },
  });
}
