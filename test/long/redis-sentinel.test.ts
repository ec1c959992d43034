import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { inboxSize } from '../../src/bridge/ledger/deliveries/inbox-store.ts';
import { Secret } from '../../src/config/secret.ts';
import { readOne, rowsOf } from '../../src/platform/postgres/read-rows.ts';
import { addressOf, post } from '../support/samples/signed-webhooks.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startKillable } from '../support/servers/killable-program.ts';
import { type OwnAuthority, ownAuthority } from '../support/servers/own-authority.ts';
import { startPostgres } from '../support/servers/postgres.ts';
import { Program } from '../support/servers/program.ts';
import { startRedis, type TestRedis } from '../support/servers/redis.ts';
import { scratchDir } from '../support/servers/scratch-dir.ts';
import { type Sentinels, startSentinels } from '../support/servers/sentinels.ts';
import { orderOf, standardHeaders } from '../support/worlds/bridge.ts';
import { Deployment } from '../support/worlds/deployment.ts';
import { until } from '../support/worlds/settled.ts';

const ORDERS = 300;
const EVERY_MS = 50;
/** When the worker stops for a while, and the replica begins to lag; and when the master ends. */
const LAGS_AT = ORDERS / 4;
const ENDS_AT = LAGS_AT + 30;

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
    await until(() => knows().catch(() => false), { what: 'the Sentinels to know each other' });
  }
}

type Watched = { master: TestRedis; replica: TestRedis; sentinels: Sentinels };

/** How far the replica is when its master ends: as far as it happens to be, or lacking the last 30 webhooks. */
const LAGS: Record<'keeps up' | 'hangs' | 'is cut off', { begin(watched: Watched): unknown; end(watched: Watched): unknown }> = {
  'keeps up': { begin: () => undefined, end: () => undefined },
  // What was sent to it meanwhile, it reads later.
  hangs: { begin: ({ replica }) => process.kill(replica.pid(), 'SIGSTOP'), end: ({ replica }) => process.kill(replica.pid(), 'SIGCONT') },
  'is cut off': {
    begin: async ({ replica }) => {
      const nobody = await freePort();
      await asked(portOf(replica), (client) => client.call('REPLICAOF', '127.0.0.1', String(nobody)));
    },
    end: () => undefined,
  },
};

/** How it ends: the master is killed, or it hangs with one of the Sentinels, as a machine does. */
const ENDS = {
  killed: ({ master }: Watched) => master.kill(),
  frozen: async ({ master, sentinels: { pids } }: Watched) => {
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

/** A pair with its Sentinels. `url`: how a program calls it. */
async function startPair(setup: AsyncDisposableStack, authority: OwnAuthority | null): Promise<Watched & { url: string }> {
  const folder = setup.use(await scratchDir());
  const ports = [await freePort(), await freePort()] as const;
  const args = async (port: number) => (authority === null ? [] : await secured(folder.path, authority, port));
  const master = setup.use(await startRedis({ appendFsync: 'everysec', args: await args(ports[0]) }));
  const masterPort = authority === null ? portOf(master) : ports[0];
  const replicaOf = ['--replicaof', '127.0.0.1', String(masterPort)];
  const replica = setup.use(await startRedis({ appendFsync: 'everysec', args: [...(await args(ports[1])), ...replicaOf] }));
  const sentinels = setup.use(await startSentinels(masterPort, { count: 3, authority }));
  await knowEachOther(sentinels, authority?.ca ?? null);
  const isInSync = async () => (await asked(portOf(replica), (client) => client.info('replication'))).includes('master_link_status:up');
  await until(isInSync, { what: 'the replica to have what the master has' });
  const addresses = sentinels.ports.map((port) => `127.0.0.1:${port}`).join();
  const url = authority === null ? `redis+sentinel://${addresses}/main` : `rediss+sentinel://orderbridge:right@${addresses}/main`;
  return { master, replica, sentinels, url };
}

const countRow = rowsOf('deliveries', z.object({ count: z.int() }));

/** What the health status says of the queue. */
async function saidOfQueue({ receiver: { app } }: Deployment): Promise<string> {
  return (await app.healthReader.now()).failedChecks.map(({ code, words }) => (code === 'queue.unsafe' ? words : '')).join('');
}

test.for([
  ['killed', 'in the clear', 'keeps up'],
  ['killed', 'in the clear', 'is cut off'],
  ['frozen', 'in the clear', 'hangs'],
  ['killed', 'over TLS, as the user of ops/redis.acl', 'hangs'],
  ['killed', 'over TLS, as the user of ops/redis.acl', 'is cut off'],
] as const)(
  'the master of Redis is %s under load %s, and its replica %s: no webhook is refused, and each is recorded once',
  { timeout: 240_000 },
  async ([end, how, lag]) => {
    await using setup = new AsyncDisposableStack();
    const authority = how === 'in the clear' ? null : setup.use(await ownAuthority());
    const ca = authority?.ca ?? null;
    const { url: redisUrl, ...watched } = await startPair(setup, authority);
    const { master, replica } = watched;
    const postgres = setup.use(await startPostgres());
    const databaseUrl = await postgres.createDatabase('bridge');
    const env: Record<string, string> = ca === null ? {} : { REDIS_CA: ca };
    const more = { config: { queue: { kind: 'redis', url: new Secret(redisUrl), ca: ca === null ? null : new Secret(ca) } }, env } as const;
    const it = setup.use(await Deployment.start({ databaseUrl, redisUrl, idempotencyKey: 'supported', more }));
    const worker = await it.worker();
    const options = { databaseUrl, redisUrl, complianceUrl: it.service.url, idempotencyKey: 'supported', role: 'receiver', env } as const;
    const receiver = setup.use(await startKillable(options));

    const answers: Promise<string>[] = [];
    for (let id = 1; id <= ORDERS; id += 1) {
      const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-11-01T10:00:00Z', data: { order: orderOf(String(id)) } });
      answers.push(post(addressOf(receiver.url, it.connected), body, standardHeaders(it.connected.secret, body)).then(({ status }) => String(status), String));
      if (id === LAGS_AT) {
        // What is recorded at once can't be lost any more.
        worker.freeze();
        await LAGS[lag].begin(watched);
      }
      if (id === ENDS_AT) {
        await ENDS[end](watched);
        await LAGS[lag].end(watched);
        worker.thaw();
      }
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }

    expect((await Promise.all(answers)).filter((answer) => answer !== '200')).toEqual([]);
    await expect.poll(() => asked(portOf(replica), (client) => client.info('replication'))).toContain('role:master');
    for (let id = 1; id <= ORDERS; id += 1) await it.settled(String(id), 'recorded');
    expect(answers.map((_, n) => it.service.current(String(n + 1)).length).filter((count) => count !== 1)).toEqual([]);
    // The new master has no replica: the inbox is emptied without one, and nothing of it is there twice.
    await until(async () => (await inboxSize(it.receiver.pool)) === 0, { what: 'the inbox to be empty' });
    expect((await readOne(it.receiver.pool, countRow, { text: 'select count(*) as count from deliveries' })).count).toBe(ORDERS);
    await until(async () => (await saidOfQueue(it)).includes('no replica of Redis confirms'), { what: 'the health status to say so' });
    expect((await receiver.stop()).ms).toBeLessThan(15_000);
    const log = (await asked(portOf(replica), (client) => client.call('ACL', 'LOG'))) as unknown[][];
    expect(log.map((entry) => entry[entry.indexOf('object') + 1]).filter((object) => object !== 'config|get')).toEqual([]);
    if (end !== 'killed') return;
    await master.start();
    await until(async () => (await saidOfQueue(it)) === '', { what: 'the former master to confirm, as a replica' });
  },
);

test('a Redis Cluster is refused at the start, and says why', async () => {
  await using cluster = await startRedis({ args: ['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())] });
  await asked(portOf(cluster), (client) => client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383'));
  await using program = await Program.prepare({ REDIS_URL: cluster.url });

  expect(await program.spawn(['start'])).toMatchObject({ code: 1, err: expect.stringContaining("REDIS_URL can't be used: it is a Redis Cluster") });
  expect((await program.spawn(['doctor'])).out).toMatch(/WRONG.*it is a Redis Cluster/);
});
