import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openQueues } from '../../../src/app/queues.ts';
import { PERSON_ROLES } from '../../../src/contract/person-role.ts';
import { actsIn } from '../../support/console/acts-in.ts';
import { formOf } from '../../support/console/form-of.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { pauseDestination } from '../../support/worlds/paused-destination.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const HOUR_MS = 3_600_000;
const PAGE = '/console/destinations';

/** A destination that is paused for an hour, with an order that waits for it. */
async function paused(it: World, connected: Connected, id = '2001'): Promise<string> {
  const { destinationId } = connected.connection;
  await pauseDestination(it, connected.connection, { code: 'compliance.unreachable', detail: 'ECONNREFUSED <b>there</b>' });
  await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
  await until(async () => (await it.bridge.order(connected, id))?.state === 'queued', { what: 'the order to wait' });
  return destinationId;
}

async function resume(browser: SignedInBrowser) {
  const { text } = await browser.get(PAGE);
  return browser.post(`${PAGE}/resume`, formOf(text, `${PAGE}/resume`));
}

test('without a store the page says that there is nothing, and shows the queues', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge, { role: 'viewer' });

  const { status, text } = await browser.get(PAGE);

  expect(status).toBe(200);
  expect(text).toContain('No compliance service is used yet');
  for (const name of ['deliveries', 'submissions', 'maintenance']) expect(text).toContain(`<code>${name}</code>`);
});

test('a service shows the end of its key alone, its last requests, and how it is spoken to', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner <b>&amp;' });
  await recorded(it, connected, '1042');
  const browser = await signIn(it.bridge, { role: 'viewer' });

  const { text } = await browser.get(PAGE);

  expect(text).toContain(it.service.url);
  expect(text).toContain('key …key');
  expect(text).toContain('Corner &lt;b&gt;&amp;amp;');
  expect(text).toMatch(/>#1042<\/a>.*create record<.*20\d done.*\d+ ms/s);
  expect(text).toContain('1 request in the last hour.');
  expect(text).toContain('x-signature: ');
  expect(text).not.toContain('<form method="post" action="/console/destinations');
});

test('a paused service is resumed: what waited is recorded, and the audit log says who did it', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const destinationId = await paused(it, connected);
  const browser = await signIn(it.bridge, { role: 'operator', name: 'Мария' });
  const { text } = await browser.get(PAGE);
  expect(text).toContain('Paused: nothing is sent');
  expect(text).toContain('it can’t be reached');
  expect(text).toContain('ECONNREFUSED &lt;b&gt;there&lt;/b&gt;');
  expect(text).toContain('1 order<');

  expect(await resume(browser)).toMatchObject({ status: 303, location: `${PAGE}?done=destinationResumed` });

  await it.bridge.settled(connected, '2001', 'recorded');
  expect(await actsIn(it.bridge.pool)).toMatchObject([
    {
      act: 'destination.resumed',
      who: `person:${browser.person.id}`,
      subject: destinationId,
      before: { callType: 'records', shop: null, code: 'compliance.unreachable' },
    },
  ]);
});

test('a probe asks the service at once, and has an order of the pause sent', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const destinationId = await paused(it, connected);
  const browser = await signIn(it.bridge, { role: 'operator', name: 'Мария <i>' });

  expect(await browser.post(`${PAGE}/probe`, { destination: destinationId })).toMatchObject({ status: 303, location: `${PAGE}?done=destinationWorks` });

  await it.bridge.settled(connected, '2001', 'recorded');
  const { text } = await browser.get(PAGE);
  expect(text).toMatch(/answered 404 in \d+ ms/);
  expect(text).toContain('by Мария &lt;i&gt;: it answers, and accepts the key.');
  expect(text).toContain('>Works<');
});

test('a probe of a service that is down says so', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();
  await it.service.down();
  const browser = await signIn(it.bridge);

  expect(await browser.post(`${PAGE}/probe`, { destination: connection.destinationId })).toMatchObject({ location: `${PAGE}?done=destinationFails` });

  expect((await browser.get(PAGE)).text).toMatch(/no answer within \d+ ms.*ECONNREFUSED/s);
});

test('a form about pauses that ended meanwhile does nothing', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const destinationId = await paused(it, connected);
  const browser = await signIn(it.bridge);
  const fields = formOf((await browser.get(PAGE)).text, `${PAGE}/resume`);
  const { destinations } = it.bridge.app.core;
  await destinations.resume({ destinationId, shopId: null, callType: 'records' });
  await destinations.pause({ destinationId, shopId: null, callType: 'records', code: 'compliance.misconfigured', detail: '401' }, () => HOUR_MS);

  const answer = await browser.post(`${PAGE}/resume`, fields);

  expect(answer.status).toBe(409);
  expect(answer.text).toContain('it refuses the key, the shop or the address');
  expect(await destinations.pauses()).toHaveLength(1);
});

test('a paused queue is resumed', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge, { role: 'operator' });
  await using queues = openQueues(it.bridge.app.core);
  await queues.deliveries.pause();
  const { text } = await browser.get(PAGE);
  expect(text).toMatch(/<code>deliveries<\/code>.*?>paused</s);

  expect(await browser.post(`${PAGE}/queues`, formOf(text, `${PAGE}/queues`))).toMatchObject({ status: 303, location: `${PAGE}?done=queueResumed` });

  expect(await queues.deliveries.isPaused()).toBe(false);
  expect(await browser.post(`${PAGE}/queues`, { queue: 'deliveries' })).toMatchObject({ location: `${PAGE}?done=queueRan` });
  expect(await browser.post(`${PAGE}/queues`, { queue: '<b>none' })).toMatchObject({
    status: 404,
    text: expect.stringContaining('there is no queue &lt;b&gt;none'),
  });
  expect(await actsIn(it.bridge.pool)).toMatchObject([{ act: 'queue.resumed', subject: 'deliveries', who: `person:${browser.person.id}` }]);
});

test('who may not decide changes nothing, nor does a form of another site, nor one that names nothing', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const destination = await paused(it, connected);
  const forms: [string, Record<string, string>][] = [
    [`${PAGE}/probe`, { destination }],
    [`${PAGE}/resume`, { destination }],
    [`${PAGE}/queues`, { queue: 'deliveries' }],
  ];
  for (const role of PERSON_ROLES) {
    const browser = await signIn(it.bridge, { role });
    const mayDecide = role === 'owner' || role === 'operator';
    for (const [path, fields] of forms) {
      expect((await browser.post(path, fields, { 'sec-fetch-site': 'cross-site' })).status, `${role} ${path} from elsewhere`).toBe(403);
      if (!mayDecide) expect((await browser.post(path, fields)).status, `${role} ${path}`).toBe(403);
    }
    expect((await browser.get(PAGE)).status, role).toBe(role === 'accountant' ? 403 : 200);
  }
  const owner = await signIn(it.bridge);
  expect((await owner.post(`${PAGE}/probe`)).status).toBe(422);
  expect((await owner.post(`${PAGE}/probe`, { destination: 'nowhere' })).status).toBe(404);
  expect((await owner.post(`${PAGE}/resume`, { destination, seen: 'x' })).status).toBe(409);

  expect(await it.bridge.app.core.destinations.pauses()).toHaveLength(1);
  expect(await actsIn(it.bridge.pool)).toEqual([]);
});

test('the pause of one shop ends by a button of its own; that of another one stays', async () => {
  await using it = await world();
  const [one, other] = [await it.bridge.connect({ name: 'One' }), await it.bridge.connect({ name: 'Other', shopId: randomUUID() })];
  const { destinations } = it.bridge.app.core;
  const reason = { code: 'compliance.misconfigured', detail: '403' } as const;
  for (const { connection } of [one, other]) {
    await destinations.pause({ destinationId: connection.destinationId, shopId: connection.shopId, callType: 'records', ...reason }, () => HOUR_MS);
  }
  const operator = await signIn(it.bridge, { role: 'operator' });
  const { text } = await operator.get(PAGE);
  expect(text.match(/Resume this shop/g)).toHaveLength(2);
  const { destination = [], seen = [] } = formOf(text, `${PAGE}/resume`);

  const answer = await operator.post(`${PAGE}/resume`, { destination, seen, shop: one.connection.shopId });

  expect(answer.location).toBe(`${PAGE}?done=destinationResumed`);
  expect((await destinations.pauses()).map(({ shopId }) => shopId)).toEqual([other.connection.shopId]);
  expect((await operator.post(`${PAGE}/resume`, { destination, seen, shop: other.connection.shopId })).status).toBe(409);
});

test('of many compliance services a page shows ten, those first that are paused', async () => {
  await using it = await world({ role: 'console' });
  const { connection } = await it.bridge.connect();
  const { destinations } = it.bridge.app.core;
  for (let n = 0; n < 11; n += 1) {
    const id = await destinations.ensure(`https://service-${n}.example`, { apiKey: 'key', apiSecret: 'secret' });
    await destinations.pause({ destinationId: id, shopId: null, callType: 'records', code: 'compliance.unreachable', detail: 'down' }, () => HOUR_MS);
  }
  const browser = await signIn(it.bridge, { role: 'viewer' });
  const shown = async (path: string) => (await browser.get(path)).text.match(/id="d-[0-9a-f-]{36}"/g) ?? [];

  const first = await shown(PAGE);
  const rest = await shown(`${PAGE}?n=10`);

  expect([first.length, rest.length]).toEqual([10, 2]);
  expect(first).not.toContain(`id="d-${connection.destinationId}"`);
  expect(rest.at(-1)).toBe(`id="d-${connection.destinationId}"`);
  expect((await browser.get(`${PAGE}?n=20`)).text).not.toContain('No compliance service is used yet');
});
