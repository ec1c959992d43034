import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { Secret } from '../../src/config/secret.ts';
import { addressOf, post } from '../support/samples/signed-webhooks.ts';
import { endProcess } from '../support/servers/end-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startKillable } from '../support/servers/killable-program.ts';
import { type OwnAuthority, ownAuthority } from '../support/servers/own-authority.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { Program } from '../support/servers/program.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { redisProgram } from '../support/servers/redis-program.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { until } from '../support/worlds/settled.ts';

const ORDERS = 400;
const EVERY_MS = 50;

const lines = (authority: OwnAuthority | null) => (authority?.settings ?? []).map(([name, value]) => `${name} ${value}`);

type Sentinels = { ports: number[]; pids: number[] } & AsyncDisposable;

/** Three Sentinels that watch a Redis as `main`. */
async function startSentinels(masterPort: number, authority: OwnAuthority | null): Promise<Sentinels> {
  await using setup = new AsyncDisposableStack();
  const { path, env } = await redisProgram();
  const ports: number[] = [];
  const pids: number[] = [];
  for (let i = 0; i < 3; i += 1) {
    const folder = setup.use(await scratchDir());
    const port = await freePort();
    const file = join(folder.path, 'sentinel.conf');
    const watch = [`monitor main 127.0.0.1 ${masterPort} 2`, 'down-after-milliseconds main 1000', 'failover-timeout main 5000'];
    const at = authority === null ? [`port ${port}`] : ['port 0', `tls-port ${port}`, ...lines(authority)];
    await writeFile(file, [...at, 'bind 127.0.0.1', `dir ${folder.path}`, ...watch.map((line) => `sentinel ${line}`)].join('\n'));
    const child = spawn(path, [file, '--sentinel'], { env: { ...process.env, ...env }, stdio: 'ignore' });
    setup.defer(() => endProcess(child, 'SIGKILL'));
    ports.push(port);
    pids.push(child.pid ?? 0);
  }
  const owned = setup.move();
  return { ports, pids, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const portOf = ({ url }: { url: string }) => Number(new URL(url).port);

async function asked<T>(port: number, ask: (client: Redis) => Promise<T>, ca: string | null = null): Promise<T> {
  const client = new Redis({ port, host: '127.0.0.1', retryStrategy: null, maxRetriesPerRequest: 0, ...(ca === null ? {} : { tls: { ca } }) });
  client.on('error', () => undefined);
  try {
    return await ask(client);
  } finally {
    client.disconnect();
  }
}

async function knowEachOther({ ports }: { ports: readonly number[] }, ca: string | null): Promise<void> {
  for (const port of ports) {
    const knows = async () => {
      const [watched] = (await asked(port, (client) => client.call('SENTINEL', 'masters'), ca)) as string[][];
      const field = (name: string) => watched?.[watched.indexOf(name) + 1];
      return field('num-slaves') === '1' && field('num-other-sentinels') === '2';
    };
    await until(() => knows().catch(() => false), { what: 'the Sentinels to know each other', timeoutMs: 40_000 });
  }
}

/** Until the replica has all that was written before. */
async function replicated(port: number): Promise<void> {
  const has = await asked(port, async (client) => {
    await client.set('mark', '1');
    return client.wait(1, 10_000);
  });
  expect(has).toBe(1);
}

/** How it ends: the master is killed, or it hangs with one of the Sentinels, as a machine does. */
const ENDS = {
  killed: (master: TestRedis) => master.kill(),
  frozen: async (master: TestRedis, { pids }: Sentinels) => {
    for (const pid of [master.pid(), pids[0] ?? 0]) process.kill(pid, 'SIGSTOP');
  },
};

/** Arguments of a Redis that knows the user of ops/redis.acl, and takes TLS at this port. */
async function secured(folder: string, { settings }: OwnAuthority, port: number): Promise<string[]> {
  const rights = await readFile(join(import.meta.dirname, '../../ops/redis.acl'), 'utf8');
  const file = join(folder, `${port}.acl`);
  await writeFile(file, rights.replace('>PASSWORD', '>right'));
  return ['--aclfile', file, '--tls-port', String(port), ...settings.flatMap(([name, value]) => [`--${name}`, value])];
}

test.for([
  ['killed', 'in the clear'],
  ['frozen', 'in the clear'],
  ['killed', 'over TLS, as the user of ops/redis.acl'],
] as const)(
  'the master of Redis is %s under load %s: Sentinel names another, no webhook is refused, and each is recorded once',
  { timeout: 180_000 },
  async ([end, how]) => {
    await using folder = await scratchDir();
    await using authority = how === 'in the clear' ? null : await ownAuthority();
    const ca = authority?.ca ?? null;
    const ports = [await freePort(), await freePort()] as const;
    const args = async (port: number) => (authority === null ? [] : await secured(folder.path, authority, port));
    await using master = await startRedis({ appendFsync: 'everysec', args: await args(ports[0]) });
    const masterPort = authority === null ? portOf(master) : ports[0];
    await using replica = await startRedis({ appendFsync: 'everysec', args: [...(await args(ports[1])), '--replicaof', '127.0.0.1', String(masterPort)] });
    await using sentinels = await startSentinels(masterPort, authority);
    await knowEachOther(sentinels, ca);
    const addresses = sentinels.ports.map((port) => `127.0.0.1:${port}`).join();
    const redisUrl = authority === null ? `redis+sentinel://${addresses}/main` : `rediss+sentinel://orderbridge:right@${addresses}/main`;
    await using postgres = await startPostgres();
    const databaseUrl = await postgres.createDatabase('bridge');
    const env: Record<string, string> = ca === null ? {} : { REDIS_CA: ca };
    const more = { config: { queue: { kind: 'redis', url: new Secret(redisUrl), ca: ca === null ? null : new Secret(ca) } }, env } as const;
    await using it = await Deployment.start({ databaseUrl, redisUrl, idempotencyKey: 'supported', more });
    await it.worker();
    const options = { databaseUrl, redisUrl, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'receiver', env } as const;
    await using receiver = await startKillable(options);

    const answers: Promise<string>[] = [];
    for (let id = 1; id <= ORDERS; id += 1) {
      const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(String(id)) } });
      answers.push(post(addressOf(receiver.url, it.connected), body, standardHeaders(it.connected.secret, body)).then(({ status }) => String(status), String));
      if (id === ORDERS / 4) {
        // What was answered and the replica does not have yet would be lost with the master.
        await Promise.all(answers);
        await replicated(portOf(master));
        await ENDS[end](master, sentinels);
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }

    expect((await Promise.all(answers)).filter((answer) => answer !== '200')).toEqual([]);
    expect(await asked(portOf(replica), (client) => client.info('replication'))).toContain('role:master');
    for (let id = 1; id <= ORDERS; id += 1) await it.settled(String(id), 'recorded');
    expect(answers.map((_, n) => it.service.standing(String(n + 1)).length).filter((count) => count !== 1)).toEqual([]);
    expect((await receiver.stop()).ms).toBeLessThan(15_000);
    const log = (await asked(portOf(replica), (client) => client.call('ACL', 'LOG'))) as unknown[][];
    expect(log.map((entry) => entry[entry.indexOf('object') + 1]).filter((object) => object !== 'config|get')).toEqual([]);
  },
);

test('a Redis Cluster is refused at the start, and says why', { timeout: 60_000 }, async () => {
  await using cluster = await startRedis({ args: ['--cluster-enabled', 'yes'] });
  await asked(portOf(cluster), (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383'));
  await using program = await Program.prepare({ REDIS_URL: cluster.url });

  expect(await program.spawn(['start'])).toMatchObject({ code: 1, err: expect.stringContaining("REDIS_URL can't be used: it is a Redis Cluster") });
  expect((await program.spawn(['doctor'])).out).toMatch(/WRONG.*it is a Redis Cluster/);
});
