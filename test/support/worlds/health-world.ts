import { Readable, Writable } from 'node:stream';
import { Redis } from 'ioredis';
import { listen } from '../../../src/app/listen.ts';
import { outsideOf } from '../../../src/app/outside.ts';
import { openQueues, type Queues } from '../../../src/app/queues.ts';
import { runCli } from '../../../src/cli/run-cli.ts';
import { Secret } from '../../../src/config/secret.ts';
import { askNetwork } from '../../../src/operations/health/checks/network.ts';
import type { HealthStatus } from '../../../src/operations/health/health-status.ts';
import { type OwnPostgres, startOwnPostgres } from '../servers/own-postgres.ts';
import { startRedis, type TestRedis } from '../servers/redis.ts';
import { startSmtp } from '../servers/smtp-server.ts';
import { Bridge, type Connected, ENCRYPTION_KEYS } from './bridge.ts';
import { callerOf, shopDto } from './compliance-caller.ts';
import { readIn } from './read-in.ts';

/** What a test can break without stopping anything. */
export type Switches = { mailServer: boolean; publicAddress: boolean; storeApi: boolean; diskFree: number };

export type Ran = { code: number; out: string; err: string };

/** A program as it should be run, with everything at hand that can break; `corner` is its healthy store, and `idle` a shop without one. */
export type HealthWorld = {
  bridge: Bridge;
  postgres: OwnPostgres;
  redis: TestRedis;
  queues: Queues;
  /** Commands for Redis itself. */
  admin: Redis;
  switches: Switches;
  corner: Connected;
  /** Another store, with a key of its API. */
  woo: Connected;
  idle: string;
  newShop(): Promise<string>;
  /** Runs a command beside the server, with its configuration. */
  run(args: readonly string[], env?: Record<string, string>): Promise<Ran>;
} & AsyncDisposable;

const GB = 1024 ** 3;

export async function startHealthWorld(): Promise<HealthWorld> {
  await using setup = new AsyncDisposableStack();
  const switches: Switches = { mailServer: true, publicAddress: true, storeApi: true, diskFree: 500 * GB };
  const postgres = setup.use(await startOwnPostgres(true));
  const redis = setup.use(await startRedis({ appendFsync: 'always' }));
  const smtp = setup.use(await startSmtp({ options: { onConnect: (_session, done) => done(switches.mailServer ? null : new Error('closed')) } }));
  const publicUrl = await publicAddress(switches, setup);
  const bridge = setup.use(
    await Bridge.start({
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      disk: async () => ({ free: switches.diskFree, size: 1_000 * GB }),
      config: { publicUrl, mail: { smtpUrl: new Secret(smtp.url), from: 'orderbridge@localhost' }, bnbRatesUrl: `${publicUrl}/rates` },
    }),
  );
  const { core } = bridge.app;
  const queues = setup.use(openQueues(core));
  const admin = new Redis(redis.url);
  // It is stopped by tests.
  admin.on('error', () => undefined);
  setup.defer(() => admin.disconnect());
  const newShop = () => shopOf(bridge);
  const corner = await bridge.connect({ shopId: await newShop() });
  const access = { url: publicUrl, consumerKey: 'ck_1', consumerSecret: 'cs_1' };
  const woo = await bridge.connect({ platform: 'woocommerce', name: 'books', shopId: await newShop(), access, secret: 'long enough' });
  await untouched(bridge, woo);
  const env = {
    ...{ DATABASE_URL: postgres.url, REDIS_URL: redis.url, ENCRYPTION_KEYS, DATA_DIR: core.config.dataDir, PUBLIC_URL: publicUrl },
    ...{ SMTP_URL: smtp.url, BNB_RATES_URL: `${publicUrl}/rates`, ALLOW_PRIVATE_ADDRESSES: 'true' },
  };
  const owned = setup.move();
  return {
    ...{ bridge, postgres, redis, queues, admin, switches, corner, woo, newShop, idle: await newShop() },
    run: (args, more = {}) => run(args, { ...env, ...more }, core.config.dataDir),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What is read of the store is what a test writes: neither its orders nor its webhooks are read meanwhile. */
async function untouched({ pool }: Bridge, { connection: { id } }: Connected): Promise<void> {
  await pool.query('insert into store_syncs (connection_id, read_at) values ($1, now()) on conflict (connection_id) do update set read_at = now()', [id]);
  await readIn(pool, id, 86_400_000);
  await pool.query(
    `insert into jobs (kind, key, due_at) values ('webhooks', $1, now() + interval '1 day') on conflict (kind, key) do update set due_at = excluded.due_at`,
    [id],
  );
}

/** Also the address of the WooCommerce store, with its API. */
async function publicAddress(switches: Switches, setup: AsyncDisposableStack): Promise<string> {
  const listening = await listen(
    (request, response) => {
      if (request.url?.startsWith('/wp-json/') === true) {
        response.writeHead(switches.storeApi ? 200 : 401, { 'content-type': 'application/json' });
        return void response.end(switches.storeApi ? '[]' : '{"code": "woocommerce_rest_cannot_view", "message": "No."}');
      }
      response.statusCode = request.url === '/healthz' && switches.publicAddress ? 200 : 404;
      response.end(JSON.stringify({ alive: true }));
    },
    { host: '127.0.0.1', port: 0, variable: 'PORT' },
  );
  setup.defer(() => {
    listening.cut();
    return listening.close();
  });
  return listening.url;
}

async function shopOf(bridge: Bridge): Promise<string> {
  const embedded = await bridge.app.core.destinations.find(await bridge.embeddedDestinationId());
  if (embedded === null) throw new Error('there is no embedded service');
  return String((await callerOf(bridge.app.url, embedded.credentials)('POST', '/shop', { body: shopDto() })).body['id']);
}

class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

async function run(args: readonly string[], env: Record<string, string>, cwd: string): Promise<Ran> {
  const [out, err] = [new Collected(), new Collected()];
  const { signal } = new AbortController();
  const code = await runCli({ args, env, cwd, stdin: Readable.from([]), stdout: out, stderr: err, signal });
  return { code, out: out.text, err: err.text };
}

/** Calls over the network as a server does every five minutes. */
export async function askNow({ bridge: { app } }: Pick<HealthWorld, 'bridge'>): Promise<void> {
  await askNetwork(app.core.pool, outsideOf(app.core, null));
}

/** The health status as everybody is told it: by the command, by doctor, and by the server to anyone who asks and to Prometheus. */
export type Told = {
  status: HealthStatus & { code: number };
  text: string;
  doctor: Ran;
  http: { status: number; body: { health: string; failedChecks: { code: string; level: string; words: string; count: number | null }[] } };
  gauge: string;
};

/** `env`: what the commands are given besides. */
export async function told(world: HealthWorld, env: Record<string, string> = {}): Promise<Told> {
  const {
    bridge: { app },
    run: command,
  } = world;
  await askNow(world);
  const doctor = await command(['doctor'], env);
  const json = await command(['status', '--json'], env);
  const { out: text } = await command(['status'], env);
  await app.healthReader.now();
  const response = await fetch(`${app.url}/status.json`);
  const http = { status: response.status, body: (await response.json()) as Told['http']['body'] };
  const gauge = await (await fetch(`${app.url}/metrics`)).text();
  return { status: { ...JSON.parse(json.out), code: json.code }, text, doctor, http, gauge };
}
