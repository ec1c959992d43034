import { afterEach, beforeEach, expect, test } from 'vitest';
import { BRIDGE_AUDIT_LOG } from '../../../src/bridge/ledger/bridge-acts.ts';
import { listEndpoints } from '../../../src/bridge/ledger/events/endpoint-store.ts';
import { readActs } from '../../../src/platform/audit-log/audit-log.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { EventReceiver, found, isTrusted } from '../../support/events/event-receiver.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const PAGE = '/console/destinations/events';
const secretIn = (text: string) => /<pre class="secret">([^<]+)</.exec(text)?.[1] ?? '';

let receiver: EventReceiver;
beforeEach(async () => {
  receiver = await EventReceiver.start();
});
afterEach(() => receiver[Symbol.asyncDispose]());

test('an owner adds an address, whose secret is shown once; who looks after orders sees what was sent there, and sends it again', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const owner = await signIn(it.bridge);
  const operator = await signIn(it.bridge, { role: 'operator', lang: 'bg' });
  const accountant = await signIn(it.bridge, { role: 'accountant' });

  expect([(await accountant.get(PAGE)).status, (await operator.post(PAGE, { url: receiver.url })).status]).toEqual([403, 403]);
  expect((await operator.get(PAGE)).text).not.toContain('<form method="post" action="/console/destinations/events"');
  expect((await owner.post(PAGE, { ...formOf((await owner.get(PAGE)).text, PAGE), url: 'ftp://a' })).status).toBeGreaterThan(399);
  const added = await owner.post(PAGE, { ...formOf((await owner.get(PAGE)).text, PAGE), url: receiver.url, buyers: 'yes' });
  const secret = secretIn(added.text);
  const [{ id = '' } = {}] = await listEndpoints(it.bridge.pool);
  expect((await owner.get(`${PAGE}/${id}`)).text).not.toContain(secret);

  receiver.reply = () => ({ status: 202, body: '<b>thanks</b>' });
  await recorded(it, connected, '1');
  const event = await found(() => receiver.received[0], 'the event');
  expect(isTrusted(event, secret)).toBe(true);
  const shown = async () => (await operator.get(`${PAGE}/${id}`)).text;
  await until(async () => (await shown()).includes('прието'), { what: 'it to be shown as delivered' });
  const list = await shown();
  expect(list).toContain(`href="${PAGE}/${id}/${event.id}"`);

  const looks = async () => (await readActs(it.bridge.pool, BRIDGE_AUDIT_LOG, { act: 'buyer.seen', limit: 10 })).map(({ subject }) => subject);
  expect(await looks()).toEqual([]);
  const page = await operator.get(`${PAGE}/${id}/${event.id}`);
  expect(await looks()).toEqual([event.id]);
  expect(page.text).toContain('&lt;b&gt;thanks&lt;/b&gt;');
  expect(page.text).toContain('order.recorded');
  expect(page.text).not.toContain('maria@example.invalid');
  const again = await operator.post(`${PAGE}/${id}/${event.id}`, formOf(page.text, `${PAGE}/${id}/${event.id}`));
  expect((await operator.get(again.location ?? '')).text).toContain('Изпраща се отново.');
  await until(() => receiver.received.length === 2, { what: 'it to come again' });

  const rotated = await owner.post(`${PAGE}/${id}`, { verb: 'rotate' });
  expect(secretIn(rotated.text)).not.toBe(secret);
  const removed = await owner.post(`${PAGE}/${id}`, { verb: 'remove' });
  expect((await owner.get(removed.location ?? '')).text).toContain('No more events are sent there.');
  expect((await owner.get(`${PAGE}/${id}`)).status).toBe(404);
});
