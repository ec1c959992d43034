import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import type { DeliveriesJob } from '../../bridge/delivery/jobs.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import {
  deliveryOfId,
  dismissDelivery as dismissInLedger,
  findDelivery,
  markReplayed,
  type ReplayableDelivery,
  type ShownDelivery,
} from '../../bridge/ledger/deliveries/delivery-store.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { SealBroken } from '../../platform/seal.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { deliveredAgain, type KeptBody, readKept } from '../connections/store-webhooks.ts';
import { deliveryTodo } from '../orders/list-review.ts';
import { Refusal } from '../refusal.ts';
import { previewReplay, type ReplayPreview } from './webhook-change.ts';

type Deps = { pool: Pool };

/** A kept webhook. `todo`: what a person does about it; null: nothing waits. */
export type KeptWebhook = ShownDelivery & { todo: string | null };

const decompress = promisify(zstdDecompress);

export async function showDelivery({ pool }: Deps, id: string): Promise<KeptWebhook> {
  const delivery = await knownDelivery(pool, id);
  return { ...delivery, todo: delivery.outcome === 'review' ? deliveryTodo(delivery) : null };
}

/** The bytes that the store sent. They hold the buyer's data: that somebody looked is an act. */
export async function deliveryBody({ pool }: Deps, { id, by }: { id: string; by: Actor }): Promise<Buffer> {
  const { connectionId, orderRef } = await knownDelivery(pool, id);
  const body = (await withBody(pool, id))?.body ?? null;
  if (body === null) {
    const advice = { en: 'its retention time is over, or it was erased', bg: 'срокът му е изтекъл или е заличено' };
    throw new Refusal('missing', { en: `the body of the delivery ${id} is gone`, bg: `съдържанието на известие ${id} вече го няма`, advice });
  }
  await writeBridgeActs(pool, [{ who: by, act: 'buyer.seen', connectionId, ...(orderRef === null ? {} : { orderRef }), subject: id }]);
  return decompress(body);
}

/** A person says that a webhook which can't be read needs nothing. */
export async function dismissDelivery({ pool }: Deps, { id, ...said }: { id: string; by: Actor; why: string }): Promise<void> {
  const { outcome } = await knownDelivery(pool, id);
  if (await dismissInLedger(pool, id, said)) return;
  throw new Refusal('conflict', {
    en: `the delivery ${id} is ${outcome}, not in review: there is nothing to dismiss`,
    bg: `известие ${id} не е за проверка: няма какво да се отхвърля`,
  });
}

/** Null: there is none. Refuses one whose body does not open. */
export async function withBody(pool: Pool, id: string): Promise<ReplayableDelivery | null> {
  try {
    return isUuid(id) ? await findDelivery(pool, id) : null;
  } catch (thrown) {
    if (!(thrown instanceof SealBroken)) throw thrown;
    const said = { en: `the body of the delivery ${id} does not open`, bg: `съдържанието на известие ${id} не може да бъде разшифровано` };
    throw new Refusal('conflict', {
      ...said,
      advice: { en: 'save the order in the store, which sends it again', bg: 'запазете поръчката в магазина, който ще го изпрати отново' },
    });
  }
}

async function knownDelivery(pool: Pool, id: string): Promise<ShownDelivery> {
  const found = isUuid(id) ? await deliveryOfId(pool, id) : null;
  if (found !== null) return found;
  throw new Refusal('missing', {
    ...noDelivery(id),
    advice: '`orderbridge review`, `orderbridge deliveries` and `orderbridge order` show the ids',
  });
}

export function noDelivery(id: string): LocalizedText {
  return { en: `no delivery has the id ${id}`, bg: `няма известие с идентификатор ${id}` };
}

type ReplayDeps = {
  pool: Pool;
  connections: FindConnection;
  by: Actor;
  /** Fails if neither the queue nor the inbox takes them. */
  addDeliveries(job: DeliveriesJob): Promise<void>;
};

/** What replaying a kept webhook would do, by what is known now; nothing is done. */
export async function replayPreview({ pool, connections }: Pick<ReplayDeps, 'pool' | 'connections'>, id: string): Promise<ReplayPreview> {
  const kept = await keptDelivery({ pool }, id);
  const [{ orderRef }, connection] = await Promise.all([knownDelivery(pool, id), knownConnection(connections, kept.connectionId)]);
  return previewReplay(pool, { kept, connection, orderRef });
}

/** Reads a kept webhook again, and hands it on. `ignored`: why it needs nothing. */
export async function replayDelivery(deps: ReplayDeps, id: string): Promise<{ ignored: string | null }> {
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
  const found = await withBody(pool, id);
  if (found === null) {
    throw new Refusal('missing', {
      ...noDelivery(id),
      advice: '`orderbridge review` and `orderbridge order` show the ids',
    });
  }
  const { body } = found;
  if (body !== null) return { ...found, body };
  const full = {
    en: `the body of the delivery ${id} was not kept: it was recorded when its store had sent more than KEEP_BODIES_MB on that day`,
    bg: `съдържанието на известие ${id} не е запазено: записано е, когато магазинът вече беше изпратил повече от KEEP_BODIES_MB за деня`,
  };
  const said = {
    en: `the body of the delivery ${id} is gone (its retention time is over, or it was erased)`,
    bg: `съдържанието на известие ${id} вече го няма (срокът му е изтекъл или е заличено)`,
  };
  throw new Refusal('conflict', {
    ...(found.cut ? full : said),
    advice: { en: 'save the order in the store, which sends it again', bg: 'запазете поръчката в магазина, който ще го изпрати отново' },
  });
}
