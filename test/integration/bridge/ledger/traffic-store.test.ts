import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnsweredWebhook, addTraffic, type Traffic, trafficOf } from '../../../../src/bridge/intake/traffic.ts';
import { everyTraffic, writeTraffic } from '../../../../src/bridge/ledger/deliveries/traffic-store.ts';
import { eraseFromLedger } from '../../../../src/bridge/ledger/privacy/erasures.ts';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { refusalsOf } from '../../../support/ledger/last-deliveries.ts';
import { startPostgres, type TestPostgres } from '../../../support/servers/postgres.ts';
import { ScriptedCompliance } from '../../../support/servers/scripted-compliance.ts';
import { Bridge } from '../../../support/worlds/bridge.ts';

let postgres: TestPostgres;
let service: ScriptedCompliance;
let bridge: Bridge;

beforeAll(async () => {
  [postgres, service] = await Promise.all([startPostgres(), ScriptedCompliance.start({ honoursIdempotency: true })]);
  bridge = await Bridge.start({ databaseUrl: postgres.url, complianceUrl: service.url, role: 'receiver' });
});
afterAll(async () => {
  await bridge[Symbol.asyncDispose]();
  await Promise.all([postgres[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
});

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 0, 0, second)).toISOString();

/** What one receiver gathered of a connection, in the order in which it came. */
function gathered(connectionId: string, answers: readonly Partial<AnsweredWebhook>[]): Traffic {
  const [first, ...later] = answers.map((given) =>
    trafficOf({ connectionId, at: at(0), topic: 't', code: null, client: '192.0.2.7', isPlatforms: true, ...given }),
  );
  if (first === undefined) throw new Error('no answers');
  for (const one of later) addTraffic(first, one);
  return first;
}
const accepted = (second: number, topic = 't') => ({ at: at(second), topic });
const refused = (second: number, code = 'signature.mismatch') => ({ at: at(second), code });
const stranger = (second: number) => ({ at: at(second), code: 'signature.missing', isPlatforms: false });

const topicRows = rowsOf('traffic_topics', z.object({ topic: z.string(), at: z.string() }));

async function known(connectionId: string) {
  return (await everyTraffic(bridge.pool)).find((one) => one.connectionId === connectionId);
}
const write = (...traffic: Traffic[]) => writeTraffic(bridge.pool, traffic);
const connect = async () => (await bridge.connect()).connection.id;

test('several writes add up: a row of refusals grows until one is accepted', async () => {
  const id = await connect();
  await write(gathered(id, [accepted(1), refused(2), refused(3, 'body.not-json')]));
  await write(gathered(id, [refused(4)]));
  expect(await known(id)).toEqual({ connectionId: id, lastAccepted: at(1), lastRefused: at(4), refusedCode: 'signature.mismatch', refusedInARow: 3 });

  await write(gathered(id, [refused(5), accepted(6)]));
  expect(await known(id)).toMatchObject({ lastAccepted: at(6), lastRefused: at(5), refusedInARow: 0 });
});

test('receivers write late and in any order: what counts is when it came', async () => {
  const id = await connect();
  await write(gathered(id, [accepted(10)]));
  await write(gathered(id, [refused(3), refused(4)]));
  expect(await known(id)).toMatchObject({ lastAccepted: at(10), lastRefused: at(4), refusedInARow: 0 });

  await write(gathered(id, [refused(12), refused(13)]));
  await write(gathered(id, [accepted(5)]));
  expect(await known(id)).toMatchObject({ lastAccepted: at(10), lastRefused: at(13), refusedInARow: 2 });

  await write(gathered(id, [refused(11, 'body.not-json')]));
  expect(await known(id)).toMatchObject({ lastRefused: at(13), refusedCode: 'signature.mismatch', refusedInARow: 3 });
});

test('the last 50 refusals stay, and a flood of strangers drives out no refusal of the store’s but ten', async () => {
  const id = await connect();
  await write(
    gathered(
      id,
      Array.from({ length: 45 }, (_, n) => refused(n)),
    ),
  );
  for (const from of [100, 200, 300])
    await write(
      gathered(
        id,
        Array.from({ length: 60 }, (_, n) => stranger(from + n)),
      ),
    );

  const kept = await refusalsOf(bridge.pool, id);
  expect(kept.map((one) => one.at)).toEqual([...Array.from({ length: 10 }, (_, n) => at(359 - n)), ...Array.from({ length: 40 }, (_, n) => at(44 - n))]);
  expect(kept.at(-1)).toMatchObject({ at: at(5), code: 'signature.mismatch', topic: 't', client: '192.0.2.7' });

  await write(
    gathered(
      id,
      Array.from({ length: 60 }, (_, n) => refused(400 + n)),
    ),
  );
  const newest = await refusalsOf(bridge.pool, id);
  expect([newest.length, newest.filter(({ code }) => code === 'signature.missing').length]).toEqual([50, 10]);
});

test('a connection that there is none of is left out, and takes no other with it', async () => {
  const id = await connect();
  await write(gathered('c_none', [accepted(1), refused(2), { at: at(2), code: 'delivery.throttled' }]), gathered(id, [accepted(1), refused(2)]));

  expect(await known('c_none')).toBeUndefined();
  expect(await known(id)).toMatchObject({ refusedInARow: 1 });
});

test('of each connection the 50 topics that were accepted last are known, each with its time', async () => {
  const id = await connect();
  await write(
    gathered(
      id,
      Array.from({ length: 40 }, (_, n) => accepted(n, `a${n}`)),
    ),
  );
  await write(gathered(id, [...Array.from({ length: 20 }, (_, n) => accepted(100 + n, `b${n}`)), accepted(99, 'a39')]));
  await write(gathered(id, [accepted(50, 'a39')]));

  const rows = await readRows(bridge.pool, topicRows, {
    text: 'select topic, accepted_at as at from traffic_topics where connection_id = $1 order by accepted_at',
    values: [id],
  });
  expect([rows.length, rows[0]?.topic]).toEqual([50, 'a10']);
  expect(rows.find(({ topic }) => topic === 'a39')?.at).toBe(at(99));
});

test('receivers that write the same connections at once wait for each other, and nothing is lost', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, connect));
  const batch = (order: readonly string[]) => order.map((id) => gathered(id, [refused(1), stranger(2), { at: at(3), code: 'delivery.throttled' }]));
  await Promise.all(Array.from({ length: 8 }, (_, n) => write(...batch(n % 2 === 0 ? ids : ids.toReversed()))));

  for (const id of ids) {
    expect(await known(id)).toMatchObject({ refusedInARow: 8 });
    expect(await refusalsOf(bridge.pool, id)).toHaveLength(24);
    expect((await bridge.app.core.connections.find(id))?.throttled.count).toBe(8);
  }
});

test('a count that a flood drove up for years stays a count', async () => {
  const id = await connect();
  await write({ ...gathered(id, [refused(1)]), refusedInARow: 2_000_000_000 });
  await write({ ...gathered(id, [refused(2)]), refusedInARow: 2_000_000_000 });

  expect(await known(id)).toMatchObject({ refusedInARow: 1_000_000_000 });
});

test('addresses go when the store is disconnected, or erased as a whole; none are kept after that', async () => {
  const [closed, erased, other] = [await connect(), await bridge.connect({ store: 'erased' }), await connect()];
  await write(...[closed, erased.connection.id, other].map((id) => gathered(id, [refused(1), refused(2)])));

  await bridge.app.core.connections.close(closed);
  const { shopId, platform } = erased.connection;
  await eraseFromLedger(bridge.pool, { shopId, platform, store: 'erased', orderIds: null, until: at(5) });
  await write(gathered(closed, [refused(3, 'connection.closed')]));

  const clients = async (id: string) => (await refusalsOf(bridge.pool, id)).map(({ client }) => client);
  expect(await clients(closed)).toEqual([null, null, null]);
  expect(await clients(erased.connection.id)).toEqual([null, null]);
  expect(await clients(other)).toEqual(['192.0.2.7', '192.0.2.7']);
});
