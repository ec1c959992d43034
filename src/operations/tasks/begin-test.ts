import { randomInt } from 'node:crypto';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { webhookAddress } from '../connections/webhook-address.ts';
import { prepareTest, sendTest } from '../orders/send-test.ts';
import { Refusal } from '../refusal.ts';
import { beginTask, type TaskDeps } from './begin-task.ts';
import type { TestedOrder } from './task-result.ts';

/** `receiver`: where a server takes webhooks; null: none is known. */
export type TestDeps = TaskDeps & { connections: FindConnection; receiver(): Promise<string | null> };

/** Sends a test order as the store would, and waits behind the answer for what becomes of it. */
export async function beginTest(deps: TestDeps, { id, by }: { id: string; by: Actor }): Promise<string> {
  const connection = await knownConnection(deps.connections, id);
  const now = Date.now();
  const prepared = prepareTest(storefrontOf(storefronts, connection.platform), connection, { id: `${now}${randomInt(100, 1_000)}`, now });
  const receiver = await deps.receiver();
  if (receiver === null) throw noReceiver();
  const address = webhookAddress(receiver, connection);
  return beginTask(
    deps,
    { connectionId: connection.id, kind: 'test', who: by, about: { orderId: prepared.orderId } },
    async ({ signal }): Promise<TestedOrder> => {
      const report = await sendTest(deps, { connectionId: connection.id, prepared, address, by, signal });
      const { id: order, number, orderId, state, complianceId, review } = report;
      return { id: order, number, orderId, state, complianceId, why: review };
    },
  );
}

export function noReceiver(): Refusal {
  return new Refusal(
    'unavailable',
    { en: 'no server runs here that could take it', bg: 'тук не работи сървър, който да я приеме' },
    {
      advice: {
        en: '`npm start` starts one; or set PUBLIC_URL to the address of one that runs elsewhere',
        bg: '`npm start` го пуска; или задайте в PUBLIC_URL адреса на сървър, който работи другаде',
      },
    },
  );
}
