import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HealthStatus } from '../../src/operations/health/health-status.ts';
import { SHOP_FLAGS } from '../support/samples/shop-flags.ts';
import { Program } from '../support/servers/program.ts';
import { ALERT_SECRET } from '../support/worlds/alerted.ts';
import { keepRunning } from '../support/worlds/cli-world.ts';
import { alertsOf } from '../support/worlds/evaluated-alerts.ts';

test('a server that was killed is failing where a store is connected; where none is, the folder may be the wrong one', async () => {
  await using program = await Program.prepare();
  await using _postgres = await keepRunning(program);
  const status = async (): Promise<{ code: number | null; down: string[]; health: HealthStatus }> => {
    const { code, out } = await program.run(['status', '--json']);
    const health: HealthStatus = JSON.parse(out);
    return { code, health, down: health.failedChecks.map((failedCheck) => failedCheck.code).filter((each) => each === 'server.down') };
  };
  expect(await status()).toMatchObject({ code: 1, down: ['server.down'], health: { health: 'attention' } });
  const server = await program.start();
  const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  await writeFile(join(program.dataDir, 'secret'), ALERT_SECRET);
  await program.ok(['connect', '--platform', 'standard', '--name', 'corner', '--secret', '@secret', '--compliance-shop', shop]);
  const before = await status();
  expect(before.down).toEqual([]);

  await server.stop('SIGKILL');
  const during = await status();
  expect(during).toMatchObject({ code: 2, down: ['server.down'], health: { health: 'failing' } });
  expect(await program.run(['doctor'])).toMatchObject({ code: 1, out: expect.stringMatching(/^WRONG +server +no server runs on this DATA_DIR/m) });

  await program.start();
  const after = await status();
  expect(after.down).toEqual([]);
  expect(alertsOf(during.health, after.health)).toMatchObject({ raised: ['server.down'], resolved: ['server.down'] });
});
