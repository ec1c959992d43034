import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { trafficOf } from '../../../../src/bridge/intake/traffic.ts';
import { writeTraffic } from '../../../../src/bridge/ledger/deliveries/traffic-store.ts';
import { countBroken, watchStates } from '../../../../src/bridge/ledger/sync/watch-store.ts';
import { Failure } from '../../../../src/bridge/order/facts/failure.ts';
import { readRow, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { useCalledStores } from '../../../support/worlds/called-stores.ts';
import { Killed, WatchedStore } from '../../../support/worlds/watched-store.ts';

const world = useCalledStores();
const wantedRow = rowsOf('store_syncs', z.object({ wanted: z.array(z.object({ since: z.string(), why: z.string() })) }));

async function wanted({ connection }: WatchedStore) {
  const row = await readRow(world.pool(), wantedRow, { text: 'select wanted from store_syncs where connection_id = $1', values: [connection.id] });
  return row?.wanted ?? [];
}

async function kept({ connection }: WatchedStore) {
  return (await watchStates(world.pool())).get(connection.id);
}

function shown({ webhooks }: WatchedStore): string[] {
  return [...webhooks.values()].map(({ id, topic, state }) => `${id} ${topic} ${state}`).toSorted();
}

const MARGIN_MS = 10 * 60_000;

describe('a webhook that the store disabled', () => {
  test('is made anew with a secret that is live beside the old one, and what was missed is to be read', async () => {
    const store = await WatchedStore.connect(world.pool());
    const webhook = store.add('paid');
    store.add('changed');
    await store.look();
    const goodAt = Date.parse((await kept(store))?.listedAt ?? '');
    webhook.state = 'disabled';

    const watched = await store.look();

    expect(watched).toMatchObject({ kind: 'watched', repaired: ['paid'], stopped: null, problems: [] });
    expect(shown(store)).toEqual(['2 changed active', '3 paid active']);
    const [person, made] = await store.secrets();
    expect([person, store.webhooks.get('3')?.secret]).toEqual(['by a person', made]);
    expect(await wanted(store)).toEqual([{ since: new Date(goodAt - MARGIN_MS).toISOString(), why: 'webhooks did not come: paid' }]);
    expect(await kept(store)).toMatchObject({ problems: [], error: null });
  });

  test('is said, and the key goes on reading, if the key may only read', async () => {
    const store = await WatchedStore.connect(world.pool());
    store.add('paid', { state: 'disabled' });
    store.add('changed');
    store.mayWrite = false;
    const before = await countBroken(world.pool());

    const first = await store.look();
    const second = await store.look();

    expect(first).toMatchObject({
      repaired: [],
      stopped: expect.stringContaining('the key may only read'),
      problems: [{ topic: 'paid', kind: 'disabled' }],
    });
    expect(second).toMatchObject({ kind: 'watched', problems: [{ topic: 'paid', kind: 'disabled' }] });
    expect(shown(store)).toEqual(['1 paid disabled', '2 changed active']);
    expect(await countBroken(world.pool())).toBe(before + 1);
    expect(await wanted(store)).toEqual([]);
  });

  test('when a person has mended it, what was missed is to be read', async () => {
    const store = await WatchedStore.connect(world.pool());
    const webhook = store.add('paid', { state: 'disabled' });
    store.add('changed');
    store.mayWrite = false;
    await store.look();
    webhook.state = 'active';

    await store.look();

    const since = new Date(Date.parse(store.connection.createdAt) - MARGIN_MS).toISOString();
    expect(await wanted(store)).toEqual([{ since, why: 'webhooks did not come: paid' }]);
  });

  test('again and again: one secret serves all that are made anew', async () => {
    const store = await WatchedStore.connect(world.pool());
    for (let round = 0; round < 3; round += 1) {
      await store.look();
      for (const webhook of store.webhooks.values()) webhook.state = 'disabled';
    }
    await store.look();

    expect((await store.secrets()).length).toBe(2);
    expect([...store.webhooks.values()].map(({ topic, state }) => `${topic} ${state}`)).toEqual(['paid active', 'changed active']);
  });
});

describe.each<[string, { state: 'active' | 'paused'; server: string }]>([
  ['paused by a person', { state: 'paused', server: 'https://bridge.example' }],
  ['going to another server of ours', { state: 'active', server: 'https://other.example' }],
])('a webhook %s', (_, { state, server }) => {
  test('is left as it is, and made anew only if a person says so', async () => {
    const store = await WatchedStore.connect(world.pool());
    store.add('paid', { state, address: `${server}/webhooks/own/${store.connection.id}` });
    store.add('changed');

    const left = await store.look('itself');
    const before = shown(store);
    const repaired = await store.look('all');

    expect(left).toMatchObject({ repaired: [], problems: [{ topic: 'paid', repairs: 'request' }] });
    expect(before).toContain(`1 paid ${state}`);
    expect(repaired).toMatchObject({ repaired: ['paid'], problems: [] });
    expect(shown(store)).toEqual(['2 changed active', '3 paid active']);
  });
});

test('a list is looked at without repairing, if only that is asked', async () => {
  const store = await WatchedStore.connect(world.pool());

  expect(await store.look('nothing')).toMatchObject({ repaired: [], problems: [{ topic: 'paid' }, { topic: 'changed' }] });
  expect(store.webhooks.size).toBe(0);
});

test('webhooks whose address does not bear the id are never touched', async () => {
  const store = await WatchedStore.connect(world.pool());
  const foreign = [
    store.add('paid', { address: 'https://bridge.example/webhooks/own/c_other', state: 'disabled' }),
    store.add('paid', { address: `https://accounting.example/?c=${store.connection.id}`, state: 'disabled' }),
  ].map((webhook) => ({ ...webhook }));

  await store.look('all');

  expect([...store.webhooks.values()].slice(0, 2)).toEqual(foreign);
  expect(shown(store)).toEqual(['1 paid disabled', '2 paid disabled', '3 paid active', '4 changed active']);
});

test('what was sent and did not come is said, and read from the store: once for each attempt', async () => {
  const store = await WatchedStore.connect(world.pool());
  store.add('changed');
  const webhook = store.add('paid');
  await store.look();
  await world.pool().query(`update watches set since = now() - interval '1 day' where connection_id = $1`, [store.connection.id]);
  webhook.attemptedAt = new Date(Date.now() - 3_600_000).toISOString();
  // A person who saves its form moves that time, too.
  expect(await store.look()).toMatchObject({ problems: [] });
  const goodAt = (await kept(store))?.listedAt ?? '';
  await world.pool().query('insert into store_syncs (connection_id, missed, missed_at) values ($1, 1, now())', [store.connection.id]);
  const before = await countBroken(world.pool());

  const watched = await store.look();
  await store.look();

  expect(watched).toMatchObject({ repaired: [], problems: [{ topic: 'paid', kind: 'not-arriving', repairs: 'nothing' }] });
  expect(await countBroken(world.pool())).toBe(before);
  expect(await wanted(store)).toEqual([{ since: new Date(Date.parse(goodAt) - MARGIN_MS).toISOString(), why: 'webhooks did not come: paid' }]);

  await world.pool().query('insert into traffic_topics (connection_id, topic, accepted_at) values ($1, $2, now())', [store.connection.id, 'paid']);
  expect(await store.look()).toMatchObject({ problems: [] });
});

test('a store that gives no list keeps what was known, and is looked at again when it may be called', async () => {
  const store = await WatchedStore.connect(world.pool());
  store.add('paid', { state: 'paused' });
  store.add('changed');
  await store.look();
  store.broken = new Failure('storefront.unreachable', 'no answer');

  expect(await store.look()).toEqual({ kind: 'not-listed', denial: null, code: 'storefront.unreachable', detail: 'no answer' });
  expect(await kept(store)).toMatchObject({ error: 'storefront.unreachable: no answer', problems: [{ topic: 'paid', kind: 'paused' }] });
});

test('while one process looks after the webhooks of a store, no other does', async () => {
  const store = await WatchedStore.connect(world.pool());
  store.add('changed');
  let other: Promise<unknown> | undefined;
  store.onStep = (step) => {
    if (step === 'before create') other ??= store.look();
  };

  await store.look();

  expect(await other).toBeNull();
  expect(shown(store)).toEqual(['1 changed active', '2 paid active']);
});

describe('a process that is killed while it repairs', () => {
  async function broken(): Promise<WatchedStore> {
    const store = await WatchedStore.connect(world.pool());
    store.add('paid', { state: 'disabled' });
    store.add('paid', { state: 'disabled' });
    store.add('changed', { state: 'disabled' });
    return store;
  }

  async function steps(): Promise<string[]> {
    const store = await broken();
    const seen: string[] = [];
    store.onStep = (step) => seen.push(step);
    await store.look();
    return seen;
  }

  test('leaves what the next run finishes, wherever it was', async () => {
    const all = await steps();
    expect(all).toEqual(expect.arrayContaining(['after secret', 'after create', 'after remove', 'before window', 'before end']));
    for (const [at, name] of all.entries()) {
      const store = await broken();
      let left = at;
      store.onStep = () => {
        left -= 1;
        if (left < 0) throw new Killed(name);
      };
      await expect(store.look(), name).rejects.toThrow(Killed);
      store.onStep = () => undefined;
      await store.letGo();

      const next = await store.look();

      expect(next, name).toMatchObject({ kind: 'watched', problems: [] });
      const left2 = [...store.webhooks.values()];
      expect(left2.map(({ topic, state }) => `${topic} ${state}`).toSorted(), name).toEqual(['changed active', 'paid active']);
      const secrets = await store.secrets();
      expect(secrets.length, name).toBe(2);
      expect(
        left2.every(({ secret }) => secret === secrets[1]),
        name,
      ).toBe(true);
      const [window] = await wanted(store);
      expect(window, name).toMatchObject({ since: new Date(Date.parse(store.connection.createdAt) - MARGIN_MS).toISOString() });
    }
  });
});

test('webhooks in whose place a module delivers are not made anew beside it, and are once reading the store shows that it is silent', async () => {
  const store = await WatchedStore.connect(world.pool());
  const connectionId = store.connection.id;
  store.add('paid', { state: 'paused' });
  store.add('changed', { state: 'disabled' });
  const delivered = { connectionId, at: new Date().toISOString(), topic: 'paid', code: null, client: null, isPlatforms: true, isByModule: true };
  await writeTraffic(world.pool(), [trafficOf(delivered)]);

  expect(await store.look()).toMatchObject({ repaired: [], problems: [] });
  expect(shown(store)).toEqual(['1 paid paused', '2 changed disabled']);
  await world.pool().query(`insert into store_syncs (connection_id, missed, missed_at) values ($1, 1, now() + interval '1 second')`, [connectionId]);

  expect(await store.look()).toMatchObject({ repaired: ['changed'], problems: [{ topic: 'paid', kind: 'paused' }] });
});
