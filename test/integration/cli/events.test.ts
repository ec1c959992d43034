import { expect, test } from 'vitest';
import { openKeys } from '../../../src/app/open-keys.ts';
import { Secret } from '../../../src/config/secret.ts';
import { createLog } from '../../../src/platform/log.ts';
import { sealerOf } from '../../../src/platform/postgres/postgres.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';
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

test('of an endpoint with buyers it is shown why there was no answer, which is no look, and an answer only in the JSON, which is one', async () => {
  await using world = await startCliWorld();
  const { program, pool, databaseUrl } = world;
  const { id } = JSON.parse(await program.ok(['events', 'add', 'https://books.invalid/', '--with-buyers', '--json']));
  const config = { database: { kind: 'external', url: new Secret(databaseUrl) }, dataDir: '/nowhere', encryptionKeys: new Secret(ENCRYPTION_KEYS) } as const;
  await using _keys = await openKeys({ pool, config, log: createLog({ level: 'silent', name: 'test' }), onTooOld: () => undefined });
  const [unanswered, answered] = [crypto.randomUUID(), crypto.randomUUID()];
  for (const [event, status, answer] of [
    [unanswered, null, 'it was cut off'],
    [answered, 500, 'Мария'],
  ] as const) {
    const sealed = sealerOf(pool).seal(answer, { table: 'bridge.events', column: 'answer', id: event });
    const text = `insert into events (id, endpoint, subject, type, order_ref, data, took_ms, status, answer) values ($1, $2, 'order 1', 'order.recorded', 1, '{}', 5, $3, $4)`;
    await pool.query(text, [event, id, status, sealed]);
  }
  const looks = async () => (await pool.query(`select subject from acts where act = 'buyer.seen'`)).rows;

  const list = await program.ok(['events', 'list', id]);
  expect([list.includes('none in 5 ms it was cut off'), list.includes('500 in 5 ms'), list.includes('Мария'), await looks()]).toEqual([true, true, false, []]);
  expect(await program.ok(['events', 'list', id, '--json'])).toContain('Мария');
  expect(await looks()).toEqual([{ subject: answered }]);
});
