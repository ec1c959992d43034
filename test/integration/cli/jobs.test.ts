import { expect, test } from 'vitest';
import { startCliWorld } from '../../support/worlds/cli-world.ts';

test('jobs are listed, tried again and dropped', async () => {
  await using world = await startCliWorld();
  const { program, pool } = world;
  await pool.query(
    `insert into jobs (kind, key, due_at, attempts, error) values ('outstanding', 'shop-1', now() + interval '1 hour', 3, 'no answer'),
      ('delivered', '7', null, 1, 'the service can’t be told')`,
  );

  const listed = await program.ok(['jobs']);
  expect(listed).toMatch(/^kind +waiting +due +running +failing +blocked/m);
  expect(listed).toMatch(/^delivered +7 +.* when something changes +the service can’t be told/m);
  expect(await program.ok(['jobs', 'retry', 'outstanding'])).toContain('1 job is retried now.');
  expect((await program.run(['jobs', 'drop', 'delivered', '7', '--why', 'old'])).err).toContain('can’t be dropped');
  expect((await program.run(['jobs', 'retry', 'unknown'])).err).toContain('there are no jobs of the kind unknown');
});
