import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListedDelivery } from '../../../src/operations/connections/store-webhooks.ts';
import { post } from '../../support/samples/signed-webhooks.ts';
import { CliStores, type Connection } from '../../support/worlds/cli-stores.ts';
import { until } from '../../support/worlds/settled.ts';

const STORE = 'https://shop.example/';
const WRONG = 'not the secret';

let stores: CliStores;
beforeAll(async () => {
  stores = await CliStores.start();
});
afterAll(() => stores[Symbol.asyncDispose]());

type Shown = { connectionId: string; warnings: string[]; deliveries: { lastAccepted: string | null; lastRefused: string | null; refusedInARow: number } };

async function shown({ connectionId }: Connection): Promise<Shown> {
  const found = (await stores.program.json<Shown[]>(['connections'])).find((one) => one.connectionId === connectionId);
  if (found === undefined) throw new Error('it is not listed');
  return found;
}

/** Waits until what the server gathered is written. */
function refusedInARow(connection: Connection, count: number): Promise<Shown> {
  return until(
    async () => {
      const report = await shown(connection);
      if (report.deliveries.refusedInARow !== count) throw new Error(JSON.stringify(report));
      return report;
    },
    { what: `${count} refused in a row` },
  );
}

const listed = ({ connectionId }: Connection, ...flags: string[]) => stores.program.json<ListedDelivery[]>(['deliveries', connectionId, ...flags]);

async function refuse(connection: Connection, times: number): Promise<void> {
  for (let n = 0; n < times; n += 1) expect(await stores.send({ ...connection, secret: WRONG }, STORE, { id: 7 })).toBe(401);
}

test('webhooks that are refused one after the other are counted, said in words, and forgotten with the first that is accepted', async () => {
  const shop = await stores.shop();
  const connection = await stores.recorded(shop, { store: STORE, id: '4101' });
  await refuse(connection, 3);
  const { warnings, deliveries } = await refusedInARow(connection, 3);
  const doctor = await stores.program.run(['doctor']);

  const { connectionId: id } = connection;
  expect(warnings).toEqual([
    expect.stringMatching(/^signature\.mismatch: the last 3 webhooks were refused, the newest at 20.*; the last accepted one was at 20/),
  ]);
  expect(warnings[0]).toContain(`\`orderbridge rotate-secret ${id} --secret prompt\``);
  expect(warnings[0]).toContain(`\`orderbridge deliveries ${id} --refused\` lists them`);
  expect(doctor.out).toMatch(new RegExp(`note +webhooks +${id}: signature\\.mismatch: the last 3`));
  expect((deliveries.lastAccepted ?? '') < (deliveries.lastRefused ?? '')).toBe(true);

  await stores.deliver(connection, STORE, { id: 4101, number: '4101' });
  expect(await refusedInARow(connection, 0)).toMatchObject({ warnings: [], deliveries: { lastRefused: deliveries.lastRefused } });
  expect((await stores.program.run(['doctor'])).out).toMatch(/ok +webhooks +no store’s are refused/);
});

test('unsigned requests of strangers are listed, and warn of nothing', async () => {
  const connection = await stores.connect(await stores.shop());
  for (let n = 0; n < 5; n += 1) expect((await post(connection.webhookUrl, '{}', {})).status).toBe(401);

  const refusals = await until(
    async () => {
      const all = await listed(connection, '--refused');
      if (all.length < 5) throw new Error(`${all.length} refusals`);
      return all;
    },
    { what: 'five refusals' },
  );

  expect(refusals[0]).toMatchObject({
    result: 'refused',
    code: 'signature.missing',
    topic: '',
    id: expect.stringMatching(/^r\d+$/),
    order: null,
    client: '127.0.0.1',
  });
  expect(await shown(connection)).toMatchObject({ warnings: [], deliveries: { lastAccepted: null, lastRefused: null, refusedInARow: 0 } });
});

test('the last deliveries are listed with what they did, refused ones among them', async () => {
  const connection = await stores.recorded(await stores.shop(), { store: STORE, id: '4102' });
  await refuse(connection, 1);
  await refusedInARow(connection, 1);

  const [newest, before] = await listed(connection);
  expect(newest).toMatchObject({ result: 'refused', code: 'signature.mismatch', topic: 'order.updated', client: '127.0.0.1', outcome: null, order: null });
  expect(before).toMatchObject({
    ...{ result: 'accepted', topic: 'order.updated', order: { orderId: '4102', number: '4102' }, outcome: 'merged', code: null, client: null },
    platformDeliveryId: 'dd30d6f1',
  });
  expect((await listed(connection, '--limit', '1')).map(({ result }) => result)).toEqual(['refused']);
  expect((await listed(connection, '--refused')).map(({ result }) => result)).toEqual(['refused']);

  const words = await stores.program.ok(['deliveries', connection.connectionId]);
  expect(words).toMatch(/accepted +order\.updated +4102 +merged +-\n/);
  expect(words).toMatch(/refused +order\.updated +- +signature\.mismatch +127\.0\.0\.1\n/);
  expect(words).toContain('\nsignature.mismatch: The signature matches no live secret. Make the store’s secret');
});

test('a disconnected store that still sends is warned about, and its addresses are not kept', async () => {
  const connection = await stores.recorded(await stores.shop(), { store: STORE, id: '4103' });
  await refuse(connection, 2);
  await stores.disconnect(connection);

  await until(async () => (await stores.send(connection, STORE, { id: 4103, number: '4103' })) === 410, { what: 'the webhook to be refused' });
  const { warnings } = await until(
    async () => {
      const report = await shown(connection);
      if (report.warnings.length === 0) throw new Error(JSON.stringify(report.deliveries));
      return report;
    },
    { what: 'the warning' },
  );

  expect(warnings).toEqual([expect.stringMatching(/^connection\.closed: .*The store was disconnected, and still sends: delete its webhooks there/)]);
  expect((await listed(connection, '--refused')).map(({ client }) => client)).not.toContain('127.0.0.1');
});

test('no webhook yet, and no such connection', async () => {
  const { connectionId } = await stores.connect(await stores.shop());

  expect(await stores.program.ok(['deliveries', connectionId])).toBe('No webhook of this connection has come yet.\n');
  expect(await stores.program.ok(['deliveries', connectionId, '--refused'])).toBe('No webhook of this connection was refused.\n');
  expect(await stores.program.run(['deliveries', 'c_none'])).toMatchObject({ code: 1, err: expect.stringContaining('no connection has the id c_none') });
});
