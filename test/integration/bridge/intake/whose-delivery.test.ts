import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readRows, rowsOf } from '../../../../src/platform/postgres/read-rows.ts';
import {
  connectWoo,
  HOST,
  hosts,
  known,
  moved,
  notOurs,
  order,
  outcomes,
  quarantined,
  STAGING,
  STORE,
  send,
  stores,
  warnings,
} from '../../../support/worlds/copied-site.ts';
import { until } from '../../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../../support/worlds/shared-worlds.ts';
import { totals } from '../../../support/worlds/world.ts';

const world = useSharedWorlds();

describe('A2: a staging copy of the site, with the same secret, address and order ids', () => {
  test('changes nothing of the real records: its deliveries are answered 200, quarantined, and one entry asks whose they are', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await known(it);

    await send(bridge, connected, [STAGING, order(5001, '999.00')]);
    await quarantined(bridge, 1);
    expect(await bridge.order(connected, '5001')).toBeNull();
    await send(bridge, connected, [STORE, order(5001, '12.00', { date_modified_gmt: '2026-11-21T03:00:00' })]);
    await bridge.settled(connected, '5001', 'recorded');
    await send(bridge, connected, [STAGING, order(5001, '999.00', { status: 'refunded', date_modified_gmt: '2026-11-21T04:00:00' })]);
    await send(bridge, connected, [STAGING, { id: 5000 }, 'order.deleted']);
    await quarantined(bridge, 3);

    expect(totals(service, '5001')).toEqual(['12.00']);
    expect(totals(service, '5000')).toEqual(['10.00']);
    expect(service.requests('DELETE')).toEqual([]);
    const { id } = connected.connection;
    expect(await stores(bridge)).toEqual([
      {
        ...{ connectionId: id, host: HOST, deliveries: 3, code: 'store.other', firstAt: expect.any(String), lastAt: expect.any(String) },
        todo: `If the store moved there, \`orderbridge reconnect ${id} --moved ${HOST}\`; if it is not this store, \`--not-ours ${HOST}\`.`,
      },
    ]);
    const metrics = await (await fetch(`${bridge.app.url}/metrics`)).text();
    expect(metrics).toContain('orderbridge_review_orders{code="store.other"} 1');
    expect(await warnings(bridge)).toEqual([expect.stringContaining(HOST)]);
  });

  test('is dismissed by --not-ours: what was quarantined is dropped, later ones are answered 200 and counted, not kept', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await known(it);
    await send(bridge, connected, [STAGING, order(5001, '999.00')]);
    await send(bridge, connected, [STAGING, order(5000, '999.00', { date_modified_gmt: '2026-11-21T04:00:00' })]);
    await quarantined(bridge, 2);

    expect(await notOurs(bridge, connected, STAGING)).toEqual({ host: HOST, dismissed: 2 });

    expect(await outcomes(bridge)).toEqual(['2 dismissed, no body']);
    expect(await stores(bridge)).toEqual([]);
    await send(bridge, connected, ['http://www.staging.shop.example', order(5002, '999.00')]);
    await until(async () => (await hosts(bridge, connected))?.find(({ host }) => host === HOST)?.dismissed === 3, { what: 'it to be counted' });
    expect(await hosts(bridge, connected)).toEqual([
      { host: 'shop.example', ownership: 'ours', dismissed: 0 },
      { host: HOST, ownership: 'not-ours', dismissed: 3 },
    ]);
    expect(await outcomes(bridge)).toEqual(['2 dismissed, no body']);
    expect([totals(service, '5000'), totals(service, '5001'), totals(service, '5002')]).toEqual([['10.00'], [], []]);
    expect(await warnings(bridge)).toEqual([]);
  });

  test('is the store itself after a move: --moved takes what was quarantined, by its time of arrival, and both hosts count from then on', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await known(it);
    await send(bridge, connected, [STAGING, order(5001, '20.00')]);
    await send(bridge, connected, [STAGING, order(5001, '30.00', { date_modified_gmt: '2026-11-21T03:00:00' })]);
    await send(bridge, connected, [STAGING, order(5000, '11.00', { date_modified_gmt: '2026-11-21T03:00:00' })]);
    await quarantined(bridge, 3);
    const [waiting] = await stores(bridge);

    expect(await moved(bridge, connected, STAGING)).toEqual({ host: HOST, released: 3, review: 0, dismissed: 0, api: null });

    await until(() => totals(service, '5001')[0] === '30.00' && totals(service, '5000')[0] === '11.00', { what: 'what was quarantined to be recorded' });
    const first = await bridge.settled(connected, '5001', 'recorded');
    const arrivals = await readRows(bridge.pool, rowsOf('deliveries', z.object({ at: z.string() })), {
      text: 'select min(arrived_at) as at from deliveries where order_ref = $1',
      values: [first.id],
    });
    expect(arrivals).toEqual([{ at: waiting?.firstAt }]);
    await send(bridge, connected, [STAGING, order(5002, '40.00')]);
    await send(bridge, connected, [STORE, order(5003, '50.00')]);
    await bridge.settled(connected, '5002', 'recorded');
    await bridge.settled(connected, '5003', 'recorded');
    expect(await stores(bridge)).toEqual([]);
    expect((await bridge.order(connected, '5002'))?.store).toBe((await bridge.order(connected, '5003'))?.store);
    // Again, it changes nothing.
    expect(await moved(bridge, connected, HOST)).toEqual({ host: HOST, released: 0, review: 0, dismissed: 0, api: null });
  });

  test('after a move --not-ours ends the first host as well; the last one can’t be ended', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await known(it);
    const { id } = connected.connection;

    await expect(notOurs(bridge, connected, STORE)).rejects.toMatchObject({
      kind: 'conflict',
      what: expect.stringContaining(`shop.example is the only host of ${id}`),
    });
    // Announced, before any delivery named it.
    expect(await moved(bridge, connected, 'new.example')).toEqual({ host: 'new.example', released: 0, review: 0, dismissed: 0, api: null });
    expect(await notOurs(bridge, connected, STORE)).toEqual({ host: 'shop.example', dismissed: 0 });
    await expect(notOurs(bridge, connected, 'new.example')).rejects.toMatchObject({ kind: 'conflict' });

    await send(bridge, connected, [STORE, order(5001, '999.00')]);
    await send(bridge, connected, ['https://new.example', order(5002, '20.00')]);
    await bridge.settled(connected, '5002', 'recorded');
    await until(async () => (await hosts(bridge, connected))?.find(({ host }) => host === 'shop.example')?.dismissed === 1, { what: 'it to be counted' });
    expect(totals(service, '5001')).toEqual([]);
    // Taken back: what was dismissed is gone, and is said to be.
    expect(await moved(bridge, connected, STORE)).toEqual({ host: 'shop.example', released: 0, review: 0, dismissed: 1, api: null });
    await send(bridge, connected, [STORE, order(5001, '21.00')]);
    await bridge.settled(connected, '5001', 'recorded');
  });

  test('scheme, www., port and path variants are the same store, without a warning', async () => {
    await using it = await world();
    const { bridge, service } = it;
    const connected = await known(it);
    const variants = ['http://shop.example', 'https://www.shop.example/', 'https://shop.example:8443/', 'https://shop.example/bg/', 'HTTPS://SHOP.EXAMPLE'];

    for (const [index, variant] of variants.entries())
      await send(bridge, connected, [variant, order(5000, `${20 + index}.00`, { date_modified_gmt: `2026-11-21T03:0${index}:00` })]);

    await until(() => totals(service, '5000').join() === '24.00', { what: 'the last change to be recorded' });
    expect(await stores(bridge)).toEqual([]);
    expect(await warnings(bridge)).toEqual([]);
    expect((await bridge.order(connected, '5000'))?.store).toBe('https://shop.example');
  });

  test('two hosts at once on a new connection: the first delivery decides, the other is quarantined', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await connectWoo(it);

    await Promise.all([send(bridge, connected, [STORE, order(1, '10.00')]), send(bridge, connected, [STAGING, order(2, '20.00')])]);

    await quarantined(bridge, 1);
    const [waiting] = await stores(bridge);
    expect((await hosts(bridge, connected))?.map(({ ownership }) => ownership).sort()).toEqual(['ours', 'quarantined']);
    await bridge.settled(connected, waiting?.host === HOST ? '1' : '2', 'recorded');
  });

  test('its drafts are left out: they are no sales, and their bodies are never kept', async () => {
    await using it = await world();
    const { bridge } = it;
    const connected = await known(it);

    await send(bridge, connected, [STAGING, order(5001, '999.00', { status: 'checkout-draft', date_paid_gmt: null })]);

    await until(async () => (await outcomes(bridge)).length > 0, { what: 'it to be noted' });
    expect(await outcomes(bridge)).toEqual(['1 ignored, no body']);
    expect(await stores(bridge)).toEqual([]);
  });
});
