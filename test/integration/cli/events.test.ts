import { expect, test } from 'vitest';
import { startCliWorld } from '../../support/worlds/cli-world.ts';

test('endpoints of events are added, listed, rotated and removed', async () => {
  await using world = await startCliWorld();
  const { program } = world;

  expect(await program.ok(['events'])).toContain('No events are sent yet');
  expect((await program.run(['events', 'add', 'http://books.example/'])).err).toContain('no events can be sent to this address');
  const { id, secret } = JSON.parse(await program.ok(['events', 'add', 'https://books.invalid/hooks?of=corner', '--with-buyers', '--json']));
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(await program.ok(['events'])).toMatch(new RegExp(`^https://books\\.invalid/\\S+ +all, with buyers +works +0 +.*${id}`, 'm'));
  const rotated = JSON.parse(await program.ok(['events', 'rotate-secret', id.slice(0, 8), '--json']));
  expect([rotated.id, rotated.secret === secret, typeof rotated.oldUntil]).toEqual([id, false, 'string']);
  expect(await program.ok(['events', 'list', id])).toContain('Nothing was to be sent there yet.');
  expect((await program.run(['events', 'enable', id])).err).toContain('is not disabled');
  expect((await program.run(['events', 'replay', id])).err).toContain('no such event');
  expect(await program.ok(['activity'])).not.toContain('of=corner');
  expect(await program.ok(['events', 'remove', id])).toContain(id);
  expect((await program.run(['events', 'remove', id])).err).toContain('no endpoint');
});
