import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startCliWorld } from '../../support/worlds/cli-world.ts';

test('a misspelt variable in .env is named as one of the environment is', async () => {
  await using world = await startCliWorld();
  const { program } = world;
  await writeFile(join(program.dataDir, '.env'), 'PUBIC_URL=https://bridge.example\n', { mode: 0o600 });

  expect((await program.run(['doctor'])).out).toContain('PUBIC_URL is set, and nothing reads it; did you mean PUBLIC_URL?');
});
