import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SettingsInput } from '../../../src/bridge/connections/connection-settings.ts';
import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { startRecording } from '../../../src/operations/trial/start-recording.ts';
import { readActs } from '../../../src/platform/audit-log/audit-log.ts';
import { merchantAtStep } from '../../support/connect/merchant-at-step.ts';
import { addressOf, postWoo } from '../../support/samples/signed-webhooks.ts';
import { wooOrder } from '../../support/samples/woo-order.ts';
import type { Connected } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const STORE = 'https://corner.example';

async function tell({ bridge }: World, connected: Connected, values: Record<string, unknown>): Promise<void> {
  const { connection, secret } = connected;
  const { status } = await postWoo(addressOf(bridge.app.url, { connection }), { topic: 'order.updated', body: wooOrder(values), secret, store: STORE });
  expect(status).toBe(200);
}

/** A store of which only its first delivery says which one it is. */
const unnamed = ({ bridge }: World, given: { shopId: string; trial: boolean; settings?: SettingsInput }) =>
  bridge.connect({ platform: 'woocommerce', name: 'Corner', store: null, ...given });

describe('a trial that turns out to continue an earlier store', () => {
  test('has recorded what waited then, not what was paid in between, and ends the links of who had it before', async () => {
    await using it = await world();
    const { connections } = it.bridge.app.core;
    const shopId = randomUUID();
    const before = await unnamed(it, { shopId, trial: false });
    await tell(it, before, { id: 1 });
    await it.bridge.settled(before, '1', 'recorded');
    await tell(it, before, { id: 2, payment_method: 'barter' });
    await it.bridge.settled(before, '2', 'review');
    const merchant = await merchantAtStep(it.bridge, before, 'trial');
    const closed = await connections.close(before.connection.id);

    const back = await unnamed(it, { shopId, trial: true, settings: { payments: { barter: { paymentType: 'OTHER' } } } });
    const own = await merchantAtStep(it.bridge, back, 'trial');
    expect(back.connection).toMatchObject({ predecessor: before.connection.id, recordedUntil: null });
    // Stores tell it to the second.
    const [between, from] = [3_000, 9_000].map((ms) => new Date(Date.parse(closed?.closedAt ?? '') + ms).toISOString());
    const paid = between?.slice(0, 19);
    await tell(it, back, { id: 3, payment_method: 'barter', date_created_gmt: paid, date_paid_gmt: paid });

    for (const id of ['2', '3']) await it.bridge.settled(back, id, 'ignored');
    await it.bridge.settled(back, '1', 'recorded');
    const { recordFrom } = before.connection;
    expect(await connections.find(back.connection.id)).toMatchObject({ store: STORE, predecessor: null, recordFrom, recordedUntil: closed?.closedAt });
    const statusOf = async (path: string) => (await fetch(`${it.bridge.app.url}${path}`, { redirect: 'manual' })).status;
    expect([await statusOf(merchant.base), await statusOf(own.base)]).toEqual([404, 303]);
    const ended = (await readActs(it.bridge.pool, BRIDGE_AUDIT_LOG, { limit: 100 })).filter(({ act }) => act === 'invitation.revoked');
    expect(ended).toMatchObject([{ who: 'orderbridge', subject: merchant.id, connectionId: before.connection.id }]);

    await startRecording({ connections, notify: () => undefined }, { id: back.connection.id, from: from ?? '', by: 'cli:test' });

    await it.bridge.settled(back, '2', 'recorded');
    await it.bridge.settled(back, '3', 'ignored');
    expect(it.service.requests('POST')).toHaveLength(2);
    expect(await connections.find(back.connection.id)).toMatchObject({ recordFrom, recordedUntil: null, gaps: [{ from: closed?.closedAt, until: from }] });
  });

  test('begins with the start, if the earlier one never recorded', async () => {
    await using it = await world();
    const { connections } = it.bridge.app.core;
    const shopId = randomUUID();
    const before = await unnamed(it, { shopId, trial: true });
    await tell(it, before, { id: 1 });
    await it.bridge.settled(before, '1', 'ignored');
    await connections.close(before.connection.id);
    const back = await unnamed(it, { shopId, trial: true });
    await tell(it, back, { id: 2 });
    for (const id of ['1', '2']) await it.bridge.settled(back, id, 'ignored');

    const from = new Date().toISOString();
    await startRecording({ connections, notify: () => undefined }, { id: back.connection.id, from, by: 'cli:test' });

    expect(await connections.find(back.connection.id)).toMatchObject({ store: STORE, recordFrom: from, recordedUntil: null, gaps: [] });
    for (const id of ['1', '2']) await it.bridge.settled(back, id, 'ignored');
    expect(it.service.requests('POST')).toEqual([]);
  });
});
