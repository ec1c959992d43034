import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createAppStore } from '../../../src/bridge/ledger/apps/app-store.ts';
import { createConnectionStore } from '../../../src/bridge/ledger/connections/connection-store.ts';
import { createDestinationStore } from '../../../src/bridge/ledger/connections/destination-store.ts';
import { createStoreTokens } from '../../../src/bridge/ledger/connections/store-tokens.ts';
import { LEDGER_SCHEMA, migrateLedger } from '../../../src/bridge/ledger/migrate-ledger.ts';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { Dice } from '../hostile/dice.ts';
import { BY } from '../samples/by.ts';
import { sampleApp } from '../samples/sample-app.ts';
import { compiled } from '../servers/compiled.ts';
import { CALM, type GrantCounts, GrantEndpoint, type Reading } from './grant-endpoint.ts';
import type { GrantCall, GrantWork } from './grant-worker.ts';

/** `count`: how often the grant is refreshed, by two processes that call the store at once. */
export type RefreshOptions = { databaseUrl: string; count: number; seed: number; reading: Reading };

/** `ended`: how often the grant was taken for dead; `alive`: whether the one in the ledger works in the end, with every process gone. */
export type RefreshedAtOnce = GrantCounts & { called: number; later: number; kills: number; ended: string[]; defects: string[]; alive: boolean };

const WORKER = fileURLToPath(new URL('./grant-worker.ts', import.meta.url));
const KEY = Buffer.alloc(32, 7);
/** Instead of 30 s: a process that was killed keeps the other one waiting for so long. */
const LEASE_MS = 300;
const KILLED = 0.1;
/** The moments of a call at which a process is killed: before it holds, while it asks, before it stores, or after that. */
const WITHIN_MS = 45;
/** A token that is used for a second is called some dozen times before the next refresh. */
const MOST_ROUNDS = 40;
const STORMY = { loses: 0.15, fails: 0.05, late: 0.04, lateMs: LEASE_MS * 1.5 };

/** Two processes that call one store at once by a grant whose tokens last for seconds, and are killed with kill -9 meanwhile. */
export async function refreshAtOnce({ databaseUrl, count, seed, reading }: RefreshOptions): Promise<RefreshedAtOnce> {
  const dice = new Dice(seed);
  await using endpoint = await GrantEndpoint.start(new Dice(seed + 1), reading);
  const work = { databaseUrl, connectionId: await connected(databaseUrl, endpoint.url), key: KEY.toString('hex'), leaseMs: LEASE_MS };
  const became = { called: 0, later: 0, kills: 0, ended: [] as string[], defects: [] as string[] };
  const note = ({ became: how, words }: GrantCall) => {
    if (how === 'called') became.called += 1;
    else if (how === 'later') became.later += 1;
    else became[how === 'ended' ? 'ended' : 'defects'].push(words);
  };
  endpoint.weather = STORMY;
  const workers = [await Worker.start(work), await Worker.start(work)];
  try {
    for (let round = 0; endpoint.counts.refreshes < count; round += 1) {
      if (round > count * MOST_ROUNDS) throw new Error(`after ${round} rounds the grant was refreshed ${endpoint.counts.refreshes} times only`);
      const doomed = dice.chance(KILLED) ? dice.below(workers.length) : -1;
      const calls = workers.map(async (worker, index): Promise<GrantCall | null> => {
        if (index !== doomed) return worker.call();
        return Promise.race([worker.call(), delay(dice.next() * WITHIN_MS).then(() => null)]);
      });
      for (const call of await Promise.all(calls)) if (call !== null) note(call);
      if (doomed === -1) continue;
      became.kills += 1;
      workers[doomed]?.kill();
      workers[doomed] = await Worker.start(work);
    }
  } finally {
    for (const worker of workers) worker.kill();
  }
  endpoint.weather = CALM;
  return { ...became, ...endpoint.counts, alive: await worksStill(work) };
}

/** A process that begins when all others are gone. */
async function worksStill(work: GrantWork): Promise<boolean> {
  const worker = await Worker.start(work);
  try {
    for (let call = 0; call < 3; call += 1) if ((await worker.call())?.became !== 'called') return false;
    return true;
  } finally {
    worker.kill();
  }
}

class Worker {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(work: GrantWork): Promise<Worker> {
    const child = fork(WORKER, [JSON.stringify(work)], { env: { PATH: process.env['PATH'], ...compiled() } });
    await once(child, 'message');
    return new Worker(child);
  }

  /** Null: it was killed meanwhile. */
  async call(): Promise<GrantCall | null> {
    const ended = new AbortController();
    const answered = once(this.#child, 'message', { signal: ended.signal }).then(([answer]: GrantCall[]) => answer ?? null);
    const gone = once(this.#child, 'exit', { signal: ended.signal }).then(() => null);
    this.#child.send('call');
    try {
      return await Promise.race([answered, gone]);
    } finally {
      ended.abort();
      await Promise.allSettled([answered, gone]);
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** A store connected by a grant. */
async function connected(databaseUrl: string, url: string): Promise<string> {
  const pool = createPool({ url: databaseUrl, schema: LEDGER_SCHEMA, max: 2, onError: () => undefined });
  try {
    await migrateLedger(pool);
    const seal = sealer(KEY);
    const app = sampleApp();
    await createAppStore(pool, seal).add(app, { by: BY });
    const destinationId = await createDestinationStore(pool, seal).ensure('https://api.example', { apiKey: 'key', apiSecret: 'secret' });
    const given = { ownShop: true, hosts: [], identity: null, claim: null, recordFrom: null, settings: {}, store: null };
    const access = { url, app: app.id };
    const input = { platform: 'shopify', name: 'corner', secret: 's', shopId: crypto.randomUUID(), destinationId, access, ...given };
    const made = await createConnectionStore(pool, seal).create(input);
    if (!('connection' in made)) throw new Error('the shop is taken');
    const { connection } = made;
    await createStoreTokens(pool, seal)(connection).keep({ token: 'shpat_0', expiresAt: new Date().toISOString(), refreshToken: 'shprt_0' });
    return connection.id;
  } finally {
    await pool.end();
  }
}
