import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CliStores } from '../../support/worlds/cli-stores.ts';

let stores: CliStores;
let lastOrder = 800;

beforeAll(async () => {
  stores = await CliStores.start();
});
afterAll(() => stores[Symbol.asyncDispose]());

/** A number that no other test of this file uses. */
function newOrder(): string {
  lastOrder += 1;
  return String(lastOrder);
}

function order(id: string, values: Record<string, unknown> = {}): Record<string, unknown> {
  return { id: Number(id), number: id, ...values };
}

/** An hour ahead, as the store writes it: after the connection was made. */
function soon(): string {
  return new Date(Date.now() + 3_600_000).toISOString().slice(0, 19);
}

describe('what was paid meanwhile', () => {
  test('a store that was away for more than a day names the gap, and --record-from takes its orders', async () => {
    const shop = await stores.shop();
    const first = await stores.recorded(shop, { store: 'https://away.example', id: newOrder() });
    await stores.disconnect(first, 48);
    const words = await stores.connectInWords(shop, ['--store-url', 'https://away.example']);
    const [, from = ''] = /Orders paid between (\S+) and \S+ are not recorded/.exec(words) ?? [];

    expect(words).toContain(`\`orderbridge reconnect ${first.connectionId} --record-from ${from}\` records them`);
    expect(Date.now() - Date.parse(from)).toBeGreaterThan(47 * 3_600_000);
    const gaps = async () => (await stores.core.connections.find(first.connectionId))?.gaps;
    expect(await gaps()).toMatchObject([{ from }]);
    await stores.program.ok(['reconnect', first.connectionId, '--record-from', from]);
    expect(await gaps()).toEqual([]);
  });

  test('a store that only its first delivery names goes on with the settings, the start and the gap of the earlier one', async () => {
    const shop = await stores.shop();
    const first = await stores.recorded(shop, { store: 'https://named.example', id: newOrder() });
    await stores.disconnect(first, 48);

    const words = await stores.connectInWords(shop);
    const second = (await stores.core.connections.list()).find((one) => one.shopId === shop && one.closedAt === null);
    if (second === undefined) throw new Error('nothing is connected');
    const webhookUrl = first.webhookUrl.replace(first.connectionId, second.id);
    await stores.deliver({ webhookUrl }, 'http://named.example/', order(newOrder(), { date_paid_gmt: soon() }));
    await stores.settled(String(lastOrder), 'recorded');

    expect(words).toContain('the host of its first delivery decides');
    const now = await stores.core.connections.find(second.id);
    expect(now).toMatchObject({
      store: 'https://named.example',
      predecessor: null,
      recordFrom: '2026-11-01T00:00:00.000Z',
      settings: { vatGroups: { '9': 'GROUP_D' } },
    });
    // Most stores tell whole seconds: what is paid in the second in which it is connected again counts.
    const until = `${second.createdAt.slice(0, 19)}.000Z`;
    expect(now?.gaps).toEqual([{ from: (await stores.core.connections.find(first.connectionId))?.closedAt, until }]);
    expect(await stores.program.json(['orders', '--connection', first.connectionId])).toEqual([]);
  });
});
