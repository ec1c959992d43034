import { expect, test } from 'vitest';
import { wrongIn } from '../support/console/look-at.ts';
import { signIn } from '../support/console/signed-in.ts';
import { useSharedWorlds } from '../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('Today, and a page that is not there, in every way', { timeout: 480_000 }, async () => {
  await using it = await world();
  await it.bridge.connect();
  const { cookie } = await signIn(it.bridge);
  const visitor = { url: it.bridge.app.url, cookie };

  expect(await wrongIn(visitor, '/console')).toEqual([]);
  expect(await wrongIn({ ...visitor, status: 404 }, '/console/nowhere')).toEqual([]);
});
