import { expect, test } from 'vitest';
import { hiddenIn } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { HOST, hosts, known, order, quarantined, STAGING, send } from '../../support/worlds/copied-site.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const PATH = '/console/review/hosts';

test('a host of which nobody said whose it is becomes the store’s, or is left out', async () => {
  await using it = await world();
  const connected = await known(it);
  await send(it.bridge, connected, [STAGING, order(5001, '20.00')]);
  await quarantined(it.bridge, 1);
  const owner = await signIn(it.bridge);
  expect((await owner.get('/console/review')).text).toContain(`Whose are the webhooks from ${HOST}?`);
  const page = (await owner.get(PATH)).text;
  expect(page).toContain('1 webhook');
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect((await viewer.get(PATH)).text).not.toContain('<form method="post" action="/console/review/hosts"');
  expect((await viewer.post(PATH, hiddenIn(page, 'ours'))).status).toBe(403);
  expect((await owner.post(PATH, hiddenIn(page, 'ours'), {})).status).toBe(403);

  expect(await owner.post(PATH, hiddenIn(page, 'ours'))).toMatchObject({ status: 303, location: '/console/review?done=host-ours' });

  await it.bridge.settled(connected, '5001', 'recorded');
  expect((await owner.get(PATH)).text).toContain('No webhook is quarantined.');
  expect(await owner.post(PATH, hiddenIn(page, 'not-ours'))).toMatchObject({ status: 409, text: expect.stringContaining('It is not this store’s') });
});

test('what is not the store’s is dropped', async () => {
  await using it = await world();
  const connected = await known(it);
  await send(it.bridge, connected, [STAGING, order(5001, '20.00')]);
  await quarantined(it.bridge, 1);
  const operator = await signIn(it.bridge, { role: 'operator', lang: 'bg' });
  const page = (await operator.get(PATH)).text;
  expect(page).toContain('Чии са тези известия?');
  expect((await operator.post(PATH, { ...hiddenIn(page, 'not-ours'), host: 'another.example' })).status).toBe(409);

  expect((await operator.post(PATH, hiddenIn(page, 'not-ours'))).location).toBe('/console/review?done=host-not-ours');

  expect(await hosts(it.bridge, connected)).toContainEqual({ host: HOST, ownership: 'not-ours', dismissed: 1 });
});
