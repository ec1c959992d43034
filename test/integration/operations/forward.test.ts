import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { listActivity } from '../../../src/operations/activity/list-activity.ts';
import { listDeliveries } from '../../../src/operations/connections/store-webhooks.ts';
import { forwardDelivery, mustCarryBuyers } from '../../../src/operations/webhooks/forward.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

test('a kept webhook is sent on as it came, signed with the secret of the program that is being made, and that is an act', async () => {
  await using it = await world();
  const { core } = it.bridge.app;
  const connected = await it.bridge.connect();
  await recorded(it, connected, '1001');
  const [kept] = await listDeliveries(core, { id: connected.connection.id, refused: false, limit: 1 });
  const id = kept?.id ?? '';
  const got: { headers: Map<string, string>; body: Buffer }[] = [];
  await using server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    got.push({ headers: new Map(Object.entries(request.headers).map(([name, value]) => [name, String(value)])), body });
    response.writeHead(202).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;

  expect(await forwardDelivery(core, { id, url, secret: SECRET, by: 'cli:test' })).toBe('answered 202');
  expect(got.map((delivery) => storefronts.standard.verify(delivery, [SECRET], Date.now()))).toEqual([{ trusted: true }]);
  expect(JSON.parse(got[0]?.body.toString() ?? '')).toMatchObject({ type: 'order.paid', data: { order: orderOf('1001') } });
  expect(await forwardDelivery(core, { id, url, secret: 'none', by: 'cli:test' })).toMatch(/^not sent: /);
  expect(await forwardDelivery(core, { id, url: 'http://127.0.0.1:1/', secret: SECRET, by: 'cli:test' })).toMatch(/^no answer: /);
  expect(await forwardDelivery(core, { id: crypto.randomUUID(), url, secret: SECRET, by: 'cli:test' })).toBeNull();
  const acts = await listActivity(core, { connection: connected.connection.id, limit: 10 });
  expect(acts.filter(({ act, subject }) => act === 'buyer.seen' && subject === id)).toHaveLength(2);
});

test('buyers’ data goes to this machine, to a private network, or encrypted', () => {
  for (const url of ['http://localhost:8080/hook', 'http://127.0.0.1/', 'http://192.168.1.7:3000', 'https://app.example/hook', 'http://app.lan/hook']) {
    expect(() => mustCarryBuyers(url, { trustedHttpHosts: ['app.lan'] })).not.toThrow();
  }
  for (const url of ['http://app.example/hook', 'http://203.0.113.7/', 'ftp://localhost/', 'localhost:8080']) {
    expect(() => mustCarryBuyers(url, { trustedHttpHosts: [] })).toThrow();
  }
});
