import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { announceServer, findServer, findServers } from '../../../src/app/running-server.ts';
import type { Role } from '../../../src/config/config.ts';
import type { HealthStatus } from '../../../src/operations/health/health-status.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { startPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { Bridge, ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';

const said = { publicUrl: null, consoleUrl: null, settings: {} };

async function healthy(status = 200): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((_request, response) => response.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: async () => void server.close() };
}

test('each server on a DATA_DIR has its own entry: a second one neither takes over nor removes the first’s', async () => {
  await using folder = await scratchDir();
  await using one = await healthy();
  await using two = await healthy();
  await using _first = await announceServer(folder.path, { ...said, url: one.url, role: 'all', publicUrl: 'https://a.example', settings: { MAIL_FROM: 'd' } });
  const second = await announceServer(folder.path, { url: two.url, role: 'compliance', ...said });

  expect(await findServers(folder.path)).toMatchObject([
    { url: one.url, role: 'all', publicUrl: 'https://a.example', settings: { MAIL_FROM: 'd' } },
    { url: two.url, role: 'compliance', publicUrl: null },
  ]);
  expect(await findServer(folder.path, ['receiver', 'compliance'])).toMatchObject({ url: two.url });
  await second[Symbol.asyncDispose]();
  expect(await findServers(folder.path)).toMatchObject([{ url: one.url }]);
});

test('the first to end leaves the second’s entry', async () => {
  await using folder = await scratchDir();
  await using one = await healthy();
  await using two = await healthy();
  const first = await announceServer(folder.path, { url: one.url, role: 'all', ...said });
  await using _second = await announceServer(folder.path, { url: two.url, role: 'all', ...said });

  await first[Symbol.asyncDispose]();

  expect(await findServers(folder.path)).toMatchObject([{ url: two.url }]);
});

test('what a killed server left behind is ignored and removed; a server that is only busy keeps its entry', async () => {
  await using folder = await scratchDir();
  await using busy = await healthy(503);
  const gone = { id: crypto.randomUUID(), url: `http://127.0.0.1:${await freePort()}`, role: 'all', host: hostname(), ...said };
  await writeFile(join(folder.path, 'server.json'), JSON.stringify(gone));
  await using _busy = await announceServer(folder.path, { url: busy.url, role: 'worker', ...said });

  expect(await findServers(folder.path)).toEqual([]);
  expect(JSON.parse(await readFile(join(folder.path, 'server.json'), 'utf8'))).toMatchObject({ url: busy.url });
  expect(await readdir(folder.path)).toEqual(['server.json']);
});

test('anyone who has the address now is who answers there', async () => {
  await using folder = await scratchDir();
  await using server = await healthy();
  await announceServer(folder.path, { url: server.url, role: 'worker', ...said });

  await using _now = await announceServer(folder.path, { url: server.url, role: 'all', ...said });

  expect(await findServers(folder.path)).toMatchObject([{ url: server.url, role: 'all' }]);
});

test('a folder that is not there has no server', async () => {
  expect(await findServers('/nowhere/at/all')).toEqual([]);
});

test('with a PostgreSQL of one’s own, that nothing takes webhooks is failing as soon as a store is connected, whatever else runs', async () => {
  await using postgres = await startPostgres('bridge');
  const databaseUrl = postgres.url;
  const complianceUrl = 'http://127.0.0.1:9';
  const begin = (role: Role) => Bridge.start({ databaseUrl, complianceUrl, role });
  await using program = await Program.prepare({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS, COMPLIANCE_API_URL: complianceUrl, COMPLIANCE_AMOUNTS: 'decimal' });
  const down = async () => {
    const { code, out } = await program.run(['status', '--json']);
    const health: HealthStatus = JSON.parse(out);
    return { code, down: health.failedChecks.filter((one) => one.code === 'server.down').map(({ words }) => words) };
  };
  expect((await down()).down).toEqual([]);
  const receiver = await begin('receiver');
  await receiver.connect();
  expect((await down()).down).toEqual([]);

  await receiver[Symbol.asyncDispose]();
  await using _console = await begin('console');

  expect(await down()).toEqual({ code: 2, down: [expect.stringMatching(/^no receiver runs .+ webhooks reach nobody/)] });
});
