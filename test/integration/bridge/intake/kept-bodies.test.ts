import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { BODY, WITH_BODIES } from '../../../../src/bridge/ledger/body-columns.ts';
import { deliveriesInReview, deliveriesOfOrder } from '../../../../src/bridge/ledger/deliveries/delivery-store.ts';
import { diskCheck } from '../../../../src/operations/health/checks/machine.ts';
import type { Round } from '../../../../src/operations/health/round.ts';
import { replayDelivery } from '../../../../src/operations/webhooks/kept-webhook.ts';
import { readRow, readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import { signIn } from '../../../support/console/signed-in.ts';
import { BY } from '../../../support/samples/by.ts';
import { addressOf, postWoo } from '../../../support/samples/signed-webhooks.ts';
import { orderOf } from '../../../support/worlds/bridge.ts';
import { HOST, known, moved, order, quarantined, STAGING, send } from '../../../support/worlds/copied-site.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import type { World } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();
/** 10 KB a day. */
const small = { config: { keepBodiesMb: 10 / 1024 } };
/** That no compression makes smaller. */
const filler = () => randomBytes(9_000).toString('base64');
const rowShape = rowsOf('deliveries', z.object({ id: z.string(), cut: z.boolean(), kept: z.boolean(), bytes: z.int().nullable() }));
const rows = ({ bridge: { pool } }: World, where = 'true') =>
  readRows(pool, rowShape, {
    text: `select id, cut, ${BODY} is not null as kept, octet_length(${BODY}) as bytes from ${WITH_BODIES} where ${where} order by arrived_at, id`,
  });
const kept = async (it: World) => (await rows(it)).map((row) => ({ cut: row.cut, kept: row.kept }));
const countShape = rowsOf('counts', z.object({ kept: z.number() }));

test('S5: beyond the MB of a day a signed order is taken, merged and recorded, its body is not kept, and its pages say so', async () => {
  await using it = await world(small);
  const { bridge } = it;
  const corner = await bridge.connect();
  for (const id of ['1', '2', '3']) {
    expect(await bridge.send(corner, 'order.paid', { order: orderOf(id), note: filler() })).toBe(200);
    await bridge.settled(corner, id, 'recorded');
  }
  expect(await kept(it)).toEqual([{ cut: false, kept: true }, ...Array(2).fill({ cut: true, kept: false })]);
  // It is one store's.
  const other = await bridge.connect({ name: 'books' });
  await bridge.send(other, 'order.paid', { order: orderOf('1'), note: filler() });
  await bridge.settled(other, '1', 'recorded');
  expect((await kept(it)).at(-1)).toEqual({ cut: false, kept: true });

  const found = await bridge.order(corner, '2');
  const [delivery] = await deliveriesOfOrder(bridge.pool, found?.id ?? 0);
  const browser = await signIn(bridge);
  expect((await browser.get(`/console/orders/${found?.id}`)).text).toContain('payload cut');
  const { text } = await browser.get(`/console/webhooks/${delivery?.id}`);
  expect(text).toContain('It was not kept: when it was recorded, the store had sent more on that day than is kept');
  expect(text).not.toContain(`/console/webhooks/${delivery?.id}/replay`);
  const replaying = { ...bridge.app.core, by: BY, addDeliveries: async () => undefined };
  await expect(replayDelivery(replaying, delivery?.id ?? '')).rejects.toThrow('was not kept: it was recorded when its store had sent more than KEEP_BODIES_MB');
});

test('S5: what can’t be read is in review by then without its body, and what its store knows of the day outlives the process', async () => {
  await using it = await world(small);
  const { bridge } = it;
  const corner = await bridge.connect();
  for (const id of ['1', '2']) await bridge.send(corner, 'order.paid', { order: orderOf(id), note: filler() });
  expect(await bridge.send(corner, 'order.paid', { order: { id: '3' }, note: filler() })).toBe(200);
  expect(await bridge.send(corner, 'order.paid', { order: orderOf('4') })).toBe(200);

  await bridge.settled(corner, '4', 'recorded');
  await until(async () => (await deliveriesInReview(bridge.pool)).length === 1, { what: 'the delivery to be in review' });
  expect(await deliveriesInReview(bridge.pool)).toMatchObject([{ outcome: 'review', kept: false, cut: true }]);
  const counted = { text: `select kept::float8 as kept from counts where span = 'day' and subject = $1`, values: [corner.connection.id] };
  await until(async () => ((await readRow(bridge.pool, countShape, counted))?.kept ?? 0) > 18_000, { what: 'the bytes to be written' });
});

test('S5: of a quarantined order what is used is kept, taken as it was read once its host is the store’s, and said on its page', async () => {
  await using it = await world({ config: { keepBodiesMb: 0.001 } });
  const { bridge } = it;
  const connected = await known(it);
  await send(bridge, connected, [STAGING, order(5001, '12.00', { customer_note: filler(), meta_data: [{ id: 1, key: 'filler', value: filler() }] })]);
  await quarantined(bridge, 1);
  const [cut] = await rows(it, `outcome = 'quarantined'`);
  expect(cut).toMatchObject({ cut: true, kept: true });
  expect(cut?.bytes).toBeLessThan(3_000);
  const browser = await signIn(bridge);
  expect((await browser.get(`/console/webhooks/${cut?.id}`)).text).toContain('Only what is used of it was kept');
  expect((await browser.get(`/console/webhooks/${cut?.id}/replay`)).text).toContain('Only what was read when it came is left of this one');

  await moved(bridge, connected, HOST);

  expect((await bridge.settled(connected, '5001', 'recorded')).facts.snapshot?.total).toBe('12.00');
  const { status } = await postWoo(addressOf(bridge.app.url, connected), {
    topic: 'order.updated',
    body: order(5001, '13.00'),
    secret: connected.secret,
    store: STAGING,
  });
  expect(status).toBe(200);
});

test('S5: where the disk is nearly full, its check names the store that most is kept of', async () => {
  await using it = await world();
  const { bridge } = it;
  const [corner, books] = [await bridge.connect(), await bridge.connect({ name: 'books' })];
  for (const [{ connection }, mb] of [
    [corner, 3],
    [books, 7],
  ] as const)
    await bridge.pool.query(`insert into counts (span, at, subject, kept) values ('day', now(), $1, $2)`, [connection.id, mb * 1024 ** 2]);
  const { pool, config } = bridge.app.core;
  const round = { pool, config, now: Date.now(), disk: async () => ({ free: 5 * 1024 ** 2, size: 1024 ** 4 }) };

  expect(await diskCheck.read(round as unknown as Round)).toMatchObject([
    { code: 'disk.full', words: expect.stringMatching(/before the database stops\. Most is kept of books: 7 MB of its webhooks$/) },
  ]);
});
