import { freePort } from '../test/support/servers/free-port.ts';
import { asStarted } from './as-started.ts';
import { type Program, startChild, startProgram } from './child.ts';
import { API, type Home } from './home.ts';
import type { Stage } from './stage.ts';

/** A started contestant: where its webhooks go, and its processes. */
export type Running = { webhookUrl: string; pids: number[] } & AsyncDisposable;

export type Contestant = {
  name: string;
  /** `work` false: it only takes webhooks, nothing is submitted. Undefined: it can not do that. */
  start(stage: Stage, work: boolean): Promise<Running>;
};

export const floor: Contestant = {
  name: 'floor: node:http + RPUSH',
  async start(stage) {
    const child = await startChild('floor', {
      env: { ...asStarted, REDIS_URL: stage.redis.url, WEBHOOK_SECRET: stage.secret },
      logFile: stage.logFile('floor'),
      canBeProfiled: true,
    });
    return { webhookUrl: `http://127.0.0.1:${child.port}/`, pids: [child.pid], [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() };
  },
};

export const plain: Contestant = { name: 'plain service, 1 process', start: (stage, work) => startPlain(stage, work ? ['all'] : ['web']) };
export const plainSplit: Contestant = { name: 'plain service, web + worker', start: (stage, work) => startPlain(stage, work ? ['web', 'worker'] : ['web']) };
export const bridgeAll: Contestant = { name: 'orderbridge, role all', start: (stage) => startBridge(stage, { root: stage.options.root, roles: ['all'] }) };
export const bridgeSplit: Contestant = {
  name: 'orderbridge, receiver + worker',
  start: (stage, work) => startBridge(stage, { root: stage.options.root, roles: work ? ['receiver', 'worker'] : ['receiver'] }),
};

/** Another checkout of orderbridge, in the layout of `bridgeSplit`. */
export function bridgeOf(root: string): Contestant {
  return { name: `orderbridge in ${root}`, start: (stage, work) => startBridge(stage, { root, roles: work ? ['receiver', 'worker'] : ['receiver'] }) };
}

async function startPlain(stage: Stage, roles: readonly string[]): Promise<Running> {
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
  };
  const children = [];
  for (const role of roles)
    children.push(setup.use(await startChild('plain', { env: { ...env, PLAIN_ROLE: role }, logFile: stage.logFile(`plain-${role}`), canBeProfiled: true })));
  const owned = setup.move();
  return {
    webhookUrl: `http://127.0.0.1:${children[0]?.port ?? 0}/webhooks/shopify`,
    pids: children.map(({ pid }) => pid),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function startBridge(stage: Stage, { root, roles }: { root: string; roles: readonly string[] }): Promise<Running> {
  await using setup = new AsyncDisposableStack();
  const programs: Program[] = [];
  const home = stage.home(root);
  for (const role of roles) {
    programs.push(
      setup.use(await startProgram(role, { root, port: await freePort(), env: bridgeEnvironment(stage, home), logFile: stage.logFile(`orderbridge-${role}`) })),
    );
  }
  const owned = setup.move();
  return {
    webhookUrl: `${programs[0]?.url ?? ''}/webhooks/shopify/${home.connectionId}`,
    pids: programs.map(({ pid }) => pid),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function bridgeEnvironment({ redis, options }: Stage, { env }: Home): Record<string, string> {
  return { ...asStarted, ...env, REDIS_URL: redis.url, CONCURRENCY: String(options.concurrency) };
}
