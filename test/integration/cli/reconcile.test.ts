import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import type { Program } from '../../support/servers/program.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { type CliWorld, startCliWorld } from '../../support/worlds/cli-world.ts';

type Connected = { connectionId: string; webhookUrl: string };

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const november = ['--from', '2026-11-01T00:00:00Z', '--to', '2026-12-01T00:00:00Z'];
let world: CliWorld;
let program: Program;
let store: Connected;

beforeAll(async () => {
  world = await startCliWorld();
  ({ program } = world);
  await program.start();
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await program.writeJson('settings.json', { recordFrom: '2020-01-01T00:00:00Z' });
  const flags = ['--platform', 'standard', '--name', 'corner', '--secret', secret, '--compliance-shop', shop, '--settings', 'settings.json'];
  store = await program.json<Connected>(['connect', ...flags]);
  const body = JSON.stringify({ data: { order: orderOf('100') } });
  expect((await fetch(store.webhookUrl, { method: 'POST', body, headers: standardHeaders(secret, body) })).status).toBe(200);
  await program.ok(['drain']);
});

afterAll(() => world[Symbol.asyncDispose]());

test('a store without a key leaves the other sides compared; standard output is JSON alone', async () => {
  const { code, out, err } = await program.run(['reconcile', store.connectionId, '--json', ...november]);
  const side = { orders: 1, total: '48.00' };

  expect(JSON.parse(out)).toEqual([
    {
      ...{ connection: store.connectionId, from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z', currency: 'EUR' },
      ...{ store: null, ledger: side, service: side, file: null, differences: [], repaired: 0 },
      unchecked: [expect.stringContaining('orderbridge reconnect')],
    },
  ]);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('not everything could be read') });
});

test('the same for people, of all stores', async () => {
  const { code, out } = await program.run(['reconcile', ...november]);

  expect(code).toBe(2);
  expect(out).toMatch(/^ledger +1 +48\.00$/m);
  expect(out).toContain('No difference.');
});

test('a month and a window do not go together, and a store must be known', async () => {
  expect((await program.run(['reconcile', '--month', '2026-11', ...november])).err).toContain('give --month, or --from and --to');
  expect(await program.run(['reconcile', 'nobody'])).toMatchObject({ code: 1, out: '' });
});

test('a store that can’t be read can’t be backfilled', async () => {
  const { code, err } = await program.run(['backfill', store.connectionId, '--from', '2026-10-01', '--to', '2026-10-31', '--yes']);

  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('orderbridge reconnect') });
});
