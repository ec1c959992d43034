import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { callStoreAgain } from '../../../../src/bridge/ledger/sync/store-calls.ts';
import { rotated, rotateSecret } from '../../../../src/operations/connections/store-secrets.ts';
import { BY } from '../../../support/samples/by.ts';
import { useCalledStores } from '../../../support/worlds/called-stores.ts';
import { WatchedStore } from '../../../support/worlds/watched-store.ts';

const world = useCalledStores();

test('a key that may not write is refused once a day, not every hour, unless a person asks, or gives another key', async () => {
  const store = await WatchedStore.connect(world.pool());
  store.add('changed');
  store.mayWrite = false;
  let tries = 0;
  store.onStep = (step) => {
    if (step === 'before keep') tries += 1;
  };
  const ago = (hours: number) =>
    world.pool().query(`update watches set refused_at = now() - $2 * interval '1 hour' where connection_id = $1`, [store.connection.id, hours]);

  expect(await store.look()).toMatchObject({ stopped: 'the key may not change webhooks (the key may only read)' });
  expect(await store.look()).toMatchObject({ problems: [{ topic: 'paid' }], stopped: expect.stringContaining('once a day') });
  expect(tries).toBe(1);
  expect(await store.look('all')).toMatchObject({ stopped: expect.stringContaining('may only read') });
  await ago(25);
  await store.look();
  expect(tries).toBe(3);

  // In the hour of the daily reading it is left alone.
  await ago(25);
  await world
    .pool()
    .query(`insert into store_syncs (connection_id, windows) values ($1, jsonb_build_object('months', now() - interval '24 hours'))`, [store.connection.id]);
  await store.look();
  expect(tries).toBe(3);

  await callStoreAgain(world.pool(), { host: 'any', connectionId: store.connection.id });
  store.mayWrite = true;
  expect(await store.look()).toMatchObject({ repaired: ['paid'], problems: [] });
});

test('a secret that was made for new webhooks while a person gave another stays live', async () => {
  const store = await WatchedStore.connect(world.pool());
  const { id } = store.connection;
  const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
  const find = async () => {
    const before = await store.connections.find(id);
    await store.deps.ledger.repairingSecret(id, () => 'made for repairing');
    return before;
  };
  const [first, second] = [secret(), secret()];

  await rotateSecret({ connections: { ...store.connections, find } }, { id, secret: first, revokeNow: false, by: BY });
  expect(await store.secrets()).toEqual([first, 'by a person', 'made for repairing']);

  // As `reconnect` does it.
  const { secrets } = rotated(store.connection, { secret: second, revokeNow: false });
  await store.connections.replace(id, { ...nothing, secrets });
  expect(await store.secrets()).toEqual([second, first, 'by a person', 'made for repairing']);
});

const nothing = {
  ...{ name: null, access: null, storeIdentity: null, destinationId: null, settings: null },
  ...{ recordFrom: null, host: null, cures: [] },
};
