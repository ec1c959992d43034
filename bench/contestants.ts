import { freePort } from '../test/support/servers/free-port.ts';
import { asStarted } from './as-started.ts';
import { type Program, startChild, startProgram } from './child.ts';
import { API, type Home } from './home.ts';
import { names, QUIET_SECONDS, settled } from './names.ts';
import type { Stage } from './stage.ts';

/** A started contestant: where its webhooks go, and its processes. */
export type Running = { webhookUrl: string; pids: number[] } & AsyncDisposable;

export type Contestant = {
  name: string;
  /** From the first webhook of an order to its submission, by its settings; 0: at once. */
  quietSeconds: number;
  /** `work` false: it only takes webhooks, nothing is submitted. */
  start(stage: Stage, work: boolean): Promise<Running>;
};

/** A layout of orderbridge, with and without a quiet time. */
export type Layout = { atOnce: Contestant; settled: Contestant };

export const floor: Contestant = {
  name: names.floor,
  quietSeconds: 0,
  async start(stage) {
    const env = { ...asStarted, REDIS_URL: stage.redis.url, WEBHOOK_SECRET: stage.secret };
    const child = await startChild('floor', { env, logFile: stage.logFile('floor'), canBeProfiled: true });
    return { webhookUrl: `http://127.0.0.1:${child.port}/`, pids: [child.pid], [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
  },
};

const plainOf = (name: string, roles: readonly string[], keeps: boolean): Contestant => ({
  name,
  quietSeconds: 0,
  start: (stage, work) => startPlain(stage, work ? roles : ['web'], keeps),
});

export const plain = plainOf(names.plain, ['all'], false);
export const plainSplit = plainOf(names.plainSplit, ['web', 'worker'], false);
/** The same service, which also keeps an order and its body in PostgreSQL before it answers. */
export const kept = plainOf(names.kept, ['all'], true);
export const keptSplit = plainOf(names.keptSplit, ['web', 'worker'], true);

/** Both layouts of a checkout; `label` begins the names of its logs and profiles. */
export function bridges(root: string, { all, split, label }: { all: string; split: string; label: string }): { all: Layout; split: Layout } {
  const contestant = (name: string, roles: readonly string[], quietSeconds: number): Contestant => ({
    name: quietSeconds === 0 ? name : settled(name),
    quietSeconds,
    start(stage, work) {
      const log = quietSeconds === 0 ? label : `${label}-settle-${quietSeconds}`;
      return startBridge(stage, { home: stage.home(root, quietSeconds), roles: work ? roles : roles.slice(0, 1), log });
    },
  });
  const layout = (name: string, roles: readonly string[]): Layout => ({ atOnce: contestant(name, roles, 0), settled: contestant(name, roles, QUIET_SECONDS) });
  return { all: layout(all, ['all']), split: layout(split, ['receiver', 'worker']) };
}

/** Receiver and worker without traces, and with a tenth of them kept, as sampled ones are. */
export function tracedPair(root: string): Contestant[] {
  const pair = (name: string, traces: (stage: Stage) => Record<string, string>): Contestant => ({
    name,
    quietSeconds: 0,
    start: (stage) => startBridge(stage, { home: stage.home(root, 0), roles: ['receiver', 'worker'], log: 'traces', env: traces(stage) }),
  });
  const sampled = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
  return [pair(names.untraced, () => ({})), pair(names.traced, ({ stub }) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${stub.port}`, ...sampled }))];
}

async function startPlain(stage: Stage, roles: readonly string[], keeps: boolean): Promise<Running> {
  await using setup = new AsyncDisposableStack();
  const env = {
    ...asStarted,
    REDIS_URL: stage.redis.url,
    WEBHOOK_SECRET: stage.secret,
    STUB_URL: `http://127.0.0.1:${stage.stub.port}`,
    SHOP_ID: stage.shopId,
    API_KEY: API.key,
    API_SECRET: API.secret,
    CONCURRENCY: String(stage.options.concurrency),
    ...(keeps ? { DATABASE_URL: stage.plainDatabaseUrl } : {}),
  };
  const children = [];
  for (const role of roles) {
    const child = await startChild('plain', {
      env: { ...env, PLAIN_ROLE: role },
      logFile: stage.logFile(`${keeps ? 'kept' : 'plain'}-${role}`),
      canBeProfiled: true,
    });
    children.push(setup.use(child));
  }
  const owned = setup.move();
  return {
    webhookUrl: `http://127.0.0.1:${children[0]?.port ?? 0}/webhooks/shopify`,
    pids: children.map(({ pid }) => pid),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type BridgeStart = { home: Home; roles: readonly string[]; log: string; env?: Record<string, string> };

async function startBridge(stage: Stage, { home, roles, log, env: more = {} }: BridgeStart): Promise<Running> {
  await using setup = new AsyncDisposableStack();
  const programs: Program[] = [];
  const env = { ...asStarted, ...home.env, ...more, REDIS_URL: stage.redis.url, CONCURRENCY: String(stage.options.concurrency) };
  for (const role of roles) {
    programs.push(setup.use(await startProgram(role, { root: home.root, port: await freePort(), env, logFile: stage.logFile(`${log}-${role}`) })));
  }
  const owned = setup.move();
  return {
    webhookUrl: `${programs[0]?.url ?? ''}/webhooks/shopify/${home.connectionId}`,
    pids: programs.map(({ pid }) => pid),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
