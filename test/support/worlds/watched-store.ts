import { randomUUID } from 'node:crypto';
import { apiWarningOf, type Connection } from '../../../src/bridge/connections/connection.ts';
import { createStoreCalls } from '../../../src/bridge/delivery/store-calls.ts';
import { type ConnectionStore, createConnectionStore } from '../../../src/bridge/ledger/connections/connection-store.ts';
import { createDestinationStore } from '../../../src/bridge/ledger/connections/destination-store.ts';
import { createStoreCallLedger } from '../../../src/bridge/ledger/sync/store-calls.ts';
import { createWatchLedger } from '../../../src/bridge/ledger/sync/watch-store.ts';
import { Failure } from '../../../src/bridge/order/facts/failure.ts';
import { LEASE_MS, type WatchDeps, type WatchOrder, type WatchResult, watchStore } from '../../../src/bridge/reconciliation/watch-subscriptions.ts';
import { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import type { Subscription, Subscriptions } from '../../../src/bridge/storefronts/store-reader.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { sealer } from '../../../src/platform/seal.ts';
import { fetchJson } from '../servers/store-api.ts';

const seal = sealer(Buffer.alloc(32, 7));
const BASE = 'https://bridge.example';

export type KeptWebhook = Subscription & { secret: string | null };

/** A process that is killed: nothing that it began is finished. */
export class Killed extends Error {}

/** A connected store with two wanted topics, whose webhooks are in memory, and the watchdog that looks after them. */
export class WatchedStore {
  readonly webhooks = new Map<string, KeptWebhook>();
  readonly connection: Connection;
  readonly connections: ConnectionStore;
  readonly deps: WatchDeps;
  mayWrite = true;
  configured: readonly string[] | null = null;
  /** What happens instead of the list. */
  broken: Failure | null = null;
  /** Called before and after each effect, with its name. */
  onStep: (step: string) => void = () => undefined;
  readonly #pool: Pool;
  #lastId = 0;

  private constructor(pool: Pool, connection: Connection) {
    this.#pool = pool;
    this.connection = connection;
    this.connections = createConnectionStore(pool, seal);
    const ledger = createWatchLedger(pool, seal);
    const onPause = () => undefined;
    this.deps = {
      ledger: {
        ...ledger,
        repairingSecret: (id, make) => this.#step('secret', () => ledger.repairingSecret(id, make)),
        keep: (watch, problems, ms) => this.#step('keep', () => ledger.keep(watch, problems, ms)),
        wantWindow: (id, wanted) => this.#step('window', () => ledger.wantWindow(id, wanted)),
        end: (watch, ended) => this.#step('end', () => ledger.end(watch, ended)),
      },
      stores: createStoreCalls({ ledger: createStoreCallLedger(pool), fetchJson, limitMs: 20_000, random: () => 0, onPause }),
      means: async (_connection, fetch) => ({ fetchJson: fetch, now: Date.now() }),
      addressOf: ({ id }) => `${BASE}/webhooks/own/${id}`,
      appAddressOf: () => null,
      configuredOf: async () => this.configured,
      noteStoreApi: (id, { denial, words }) => this.connections.warn(id, apiWarningOf(denial), words),
      accessWorks: async () => undefined,
      now: Date.now,
    };
  }

  static async connect(pool: Pool): Promise<WatchedStore> {
    const destinationId = await createDestinationStore(pool, seal).ensure('https://api.example', { apiKey: 'key', apiSecret: 'secret' });
    const given = { ownShop: true, hosts: [], identity: null, claim: null, recordFrom: null, settings: {}, store: null };
    const access = { url: `https://${randomUUID()}.example`, key: 'k' };
    const input = { platform: 'standard', name: 'corner', secret: 'by a person', shopId: randomUUID(), destinationId, access, ...given };
    const made = await createConnectionStore(pool, seal).create(input);
    if (!('connection' in made)) throw new Error('the shop is taken');
    return new WatchedStore(pool, made.connection);
  }

  get address(): string {
    return `${BASE}/webhooks/own/${this.connection.id}`;
  }

  add(topic: string, changes: Partial<KeptWebhook> = {}): KeptWebhook {
    this.#lastId += 1;
    const id = String(this.#lastId);
    const webhook: KeptWebhook = { id, topic, address: this.address, state: 'active', attemptedAt: null, secret: 'by a person', ...changes };
    this.webhooks.set(id, webhook);
    return webhook;
  }

  /** One look by one process; null: another has the store. */
  async look(repair: WatchOrder['repair'] = 'itself'): Promise<WatchResult | null> {
    const watch = await this.deps.ledger.take(this.connection.id, LEASE_MS);
    if (watch === null) return null;
    const storefront = { ...storefronts.standard, topics: ['paid', 'changed'], alsoTopics: [] };
    const { access } = this.connection;
    if (access === null) throw new Error('the store has no access');
    const store = { connection: this.connection, access, storefront, subscriptions: this.subscriptions() };
    return watchStore(this.deps, { watch, store }, { repair, signal: new AbortController().signal });
  }

  /** As if the time had passed for which a killed process holds the store. */
  async letGo(): Promise<void> {
    await this.#pool.query(`update jobs set due_at = now() where kind = 'webhooks' and key = $1`, [this.connection.id]);
    await this.#pool.query('delete from store_slots');
  }

  async secrets(): Promise<string[]> {
    return ((await this.connections.find(this.connection.id))?.secrets ?? []).map(({ secret }) => secret);
  }

  subscriptions(): Subscriptions {
    const refuse = () => {
      if (!this.mayWrite) throw new Failure('storefront.refused', 'the key may only read');
    };
    return {
      hasSecrets: true,
      newSecret: () => `made ${randomUUID()}`,
      steps: ({ topic }) => `make a webhook for ${topic}`,
      list: async () => {
        if (this.broken !== null) throw this.broken;
        return [...this.webhooks.values()].map(({ secret: _hidden, ...shown }) => shown);
      },
      create: async (_access, { topic, address, secret }) => {
        refuse();
        return this.#step('create', async () => this.add(topic, { address, secret }));
      },
      remove: async (_access, id) => {
        refuse();
        await this.#step('remove', async () => this.webhooks.delete(id));
      },
    };
  }

  async #step<T>(name: string, effect: () => Promise<T>): Promise<T> {
    this.onStep(`before ${name}`);
    const done = await effect();
    this.onStep(`after ${name}`);
    return done;
  }
}
