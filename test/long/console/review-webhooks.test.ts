import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { expect, test } from 'vitest';
import { sealBody } from '../../../src/bridge/delivery/sealed-delivery.ts';
import { listActivity } from '../../../src/operations/activity/list-activity.ts';
import { sealerOf } from '../../../src/platform/postgres/postgres.ts';
import { formOf } from '../../support/console/form-of.ts';
import { hiddenIn } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const compress = promisify(zstdCompress);
const LIST = '/console/review/webhooks';
const ONE = '/console/webhooks';

/** A webhook that waits for a person. */
async function unreadable({ bridge }: World, { connection }: Connected, body: unknown): Promise<string> {
  const id = randomUUID();
  const packed = await compress(JSON.stringify({ type: 'order.paid', timestamp: new Date().toISOString(), data: body }));
  await bridge.pool.query(
    `insert into deliveries (id, connection_id, topic, arrived_at, outcome, code, detail, body) values ($1, $2, 'order.paid', now(), 'review', 'payload.unreadable', $3, $4)`,
    [id, connection.id, '<i>total</i> must be text', sealBody(sealerOf(bridge.pool), { id, body: packed })],
  );
  return id;
}

test('every webhook could be read', async () => {
  await using it = await world();
  const owner = await signIn(it.bridge);

  expect((await owner.get(LIST)).text).toContain('Every webhook could be read.');
  expect((await owner.get(`${ONE}/none`)).status).toBe(404);
});

test('one is replayed, another dismissed with a note; both only once', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: 'Corner' });
  const [good, bad] = [await unreadable(it, connected, { order: orderOf('1') }), await unreadable(it, connected, { nothing: true })];
  const operator = await signIn(it.bridge, { role: 'operator' });
  expect((await operator.get('/console/review')).text).toContain('2 webhooks');
  const list = (await operator.get(LIST)).text;
  expect(list).toContain('&lt;i&gt;total&lt;/i&gt; must be text');
  const replay = `${ONE}/${good}/replay`;
  const form = formOf((await operator.get(replay)).text, replay);
  const note = hiddenIn((await operator.get(`${ONE}/${bad}`)).text, 'dismiss');

  expect(await operator.post(replay, form)).toMatchObject({ status: 303, location: `${ONE}/${good}?done=replayed` });
  await it.bridge.settled(connected, '1', 'recorded');
  expect(await operator.post(`${ONE}/${bad}/replay`, form)).toMatchObject({ status: 409, text: expect.stringContaining('can’t be read') });
  expect(await operator.post(`${ONE}/${bad}`, note)).toMatchObject({ status: 422, text: expect.stringContaining('Say why') });
  expect(await operator.post(`${ONE}/${bad}`, { ...note, why: 'a test' })).toMatchObject({ location: `${LIST}?done=dismissed` });
  expect(await operator.post(`${ONE}/${bad}`, { ...note, why: 'again' })).toMatchObject({
    status: 409,
    text: expect.stringMatching(/Dismiss.*needs nothing/s),
  });

  const acts = await listActivity(it.bridge.app.core, { limit: 20 });
  const own = acts.filter(({ who, act }) => who === `person:${operator.person.id}` && act !== 'person.signed-in').map(({ act, why }) => [act, why]);
  expect(own).toEqual([
    ['delivery.dismissed', 'a test'],
    ['delivery.replayed', null],
  ]);
});

test('a body is shown to those who may see buyers, and that they looked is kept', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const id = await unreadable(it, connected, { order: orderOf('1', { number: '</pre><script>x</script>' }) });
  const [operator, viewer, accountant] = [
    await signIn(it.bridge, { role: 'operator' }),
    await signIn(it.bridge, { role: 'viewer' }),
    await signIn(it.bridge, { role: 'accountant', shops: [] }),
  ];
  expect((await operator.get(`${ONE}/${id}`)).text).not.toContain('maria@example.invalid');

  const page = await operator.post(`${ONE}/${id}`, { verb: 'body' });

  expect(page.text).toContain('maria@example.invalid');
  expect(page.text).not.toContain('<script>x');
  const seen = (await viewer.get(`${ONE}/${id}`)).text;
  expect(seen).not.toMatch(/View payload|Replay|Dismiss/);
  expect((await viewer.get(`${ONE}/${id}/replay`)).status).toBe(403);
  for (const verb of ['body', 'dismiss']) expect((await viewer.post(`${ONE}/${id}`, { verb })).status).toBe(403);
  expect((await operator.post(`${ONE}/${id}`, { verb: 'body' }, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await accountant.get(`${ONE}/${id}`)).status).toBe(404);
  const acts = await listActivity(it.bridge.app.core, { limit: 20 });
  expect(acts.filter(({ act }) => act === 'buyer.seen')).toMatchObject([{ who: `person:${operator.person.id}`, subject: id }]);
});
