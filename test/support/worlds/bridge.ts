import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type App, type AppOptions, startApp } from '../../../src/app/start-app.ts';
import type { Connection } from '../../../src/bridge/connections/connection.ts';
import type { SettingsInput } from '../../../src/bridge/connections/connection-settings.ts';
import type { Credentials } from '../../../src/bridge/ledger/connections/destination-store.ts';
import { findOrder, type KeptOrder, type KeptStep, stepsOfOrder } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { isPending } from '../../../src/bridge/order/decisions/claim.ts';
import type { StoreAccess, Storefronts } from '../../../src/bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { storeHost } from '../../../src/bridge/storefronts/store-host.ts';
import type { Config, Role } from '../../../src/config/config.ts';
import { Secret } from '../../../src/config/secret.ts';
import { embeddedExtensions } from '../../../src/contract/dialect.ts';
import { createLog, type Log } from '../../../src/platform/log.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { scratchDir } from '../servers/scratch-dir.ts';
import { until } from './settled.ts';

export type BridgeOptions = {
  databaseUrl: string;
  /** Absent: BullMQ on PostgreSQL. */
  redisUrl?: string;
  /** Absent: the embedded service. */
  complianceUrl?: string;
  idempotencyKey?: 'supported' | 'ignored';
  /** Whether the service is said to forget buyers, and to take deliveries. */
  extensions?: boolean;
  config?: Partial<Config>;
  /** Default: all. */
  role?: Role;
  /** Default: silent. */
  log?: Log;
  /** Those whose stores are read; default: the registry's. */
  storefronts?: Storefronts;
  disk?: AppOptions['disk'];
  demoOwner?: string;
  /** Default: none. */
  traces?: AppOptions['traces'];
};

const OPEN_SETTINGS = {
  recordFrom: '2020-01-01T00:00:00Z',
  transactionWaitSeconds: 0,
  vatGroups: { '0': 'GROUP_A', '9': 'GROUP_D', '20': 'GROUP_B' },
  payments: { stripe: { paymentType: 'PAYMENT_PROCESSOR', paymentProcessorName: 'Stripe' } },
} satisfies SettingsInput;

/** Of a webhook that a loaded machine could not keep in time: what is refused before that is up is refused for another reason, and is not sent again. */
const RESENDS = 5;
const LATE_MS = 600;

export const ENCRYPTION_KEYS = '11'.repeat(32);

/** A running orderbridge in this process, on a free port, with everything impatient. */
export class Bridge implements AsyncDisposable {
  readonly app: App;
  readonly #resources: AsyncDisposableStack;

  private constructor(app: App, resources: AsyncDisposableStack) {
    this.app = app;
    this.#resources = resources;
  }

  static async start(options: BridgeOptions): Promise<Bridge> {
    await using setup = new AsyncDisposableStack();
    const { path } = setup.use(await scratchDir());
    const app = setup.use(
      await startApp({
        config: bridgeConfig(options, path),
        role: options.role ?? 'all',
        demoOwner: options.demoOwner,
        traces: options.traces ?? null,
        log: options.log ?? createLog({ level: 'silent', name: 'test' }),
        gaugePace: { everyMs: 0, timeoutMs: 60_000 },
        ...(options.storefronts === undefined ? {} : { storefronts: options.storefronts }),
        ...(options.disk === undefined ? {} : { disk: options.disk }),
      }),
    );
    return new Bridge(app, setup.move());
  }

  get pool() {
    return this.app.core.pool;
  }

  /** Connects a store; its secret is in the returned pair. */
  async connect({
    platform = 'standard',
    settings = {},
    shopId = randomUUID(),
    name = 'corner',
    store = null,
    access = null,
    secret = `whsec_${randomBytes(32).toString('base64')}`,
    trial = false,
    key = { apiKey: 'key', apiSecret: 'secret' },
  }: Partial<ConnectInput> = {}): Promise<Connected> {
    const { connections, destinations } = this.app.core;
    const { compliance } = this.app.core.config;
    const baseUrl = compliance.kind === 'remote' ? compliance.baseUrl : null;
    const destinationId = baseUrl === null ? await this.embeddedDestinationId() : await destinations.ensure(baseUrl, key);
    const ownShop = !storefrontOf(storefronts, platform).deliveriesNameStore;
    const hosts = [store, access?.url].flatMap((text) => (text == null ? [] : (storeHost(text) ?? [])));
    const given = { ownShop, hosts, identity: null, claim: null, recordFrom: null, trial };
    const connection = { platform, name, secret, shopId, destinationId, settings: { ...OPEN_SETTINGS, ...settings }, access, store, ...given };
    const made = await connections.create(connection);
    if (!('connection' in made)) throw new Error(`the shop has a connection already: ${JSON.stringify(made)}`);
    return { connection: made.connection, secret };
  }

  async embeddedDestinationId(): Promise<string> {
    const destination = rowsOf('destinations', z.object({ id: z.string() }));
    return (await readOne(this.pool, destination, { text: 'select id from destinations where base_url is null order by created_at limit 1' })).id;
  }

  /** Signs and sends a Standard Webhook, as storefronts do: again if it could not be kept in time. The last answer's status. */
  async send({ connection, secret }: Connected, type: string, data: object): Promise<number> {
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data });
    const headers = standardHeaders(secret, body);
    for (let left = RESENDS; ; left -= 1) {
      const began = performance.now();
      const { status } = await fetch(`${this.app.url}/webhooks/standard/${connection.id}`, { method: 'POST', body, headers });
      if (status !== 503 || left === 0 || performance.now() - began < LATE_MS) return status;
    }
  }

  async order({ connection }: Pick<Connected, 'connection'>, orderId: string): Promise<KeptOrder | null> {
    return findOrder(this.pool, connection.id, orderId);
  }

  async steps(order: KeptOrder): Promise<KeptStep[]> {
    return stepsOfOrder(this.pool, order.id);
  }

  /** Waits until an order is in a state with nothing left to do. */
  async settled(connected: Pick<Connected, 'connection'>, orderId: string, state: KeptOrder['state']): Promise<KeptOrder> {
    return until(
      async () => {
        const order = await this.order(connected, orderId);
        if (order === null) throw new Error(`order ${orderId} is not known`);
        const pending = isPending(order);
        if (order.state !== state || pending)
          throw new Error(`order ${orderId} is ${order.state}${pending ? ', pending' : ''} (${JSON.stringify(order.review)})`);
        return order;
      },
      { what: `order ${orderId} to be ${state}` },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

export type ConnectInput = {
  platform: string;
  settings: SettingsInput;
  shopId: string;
  name: string;
  store: string | null;
  access: StoreAccess | null;
  /** Not given: one of its own. */
  secret: string;
  trial: boolean;
  /** Of the service at the configured address. */
  key: Credentials;
};
export type Connected = { connection: Connection; secret: string };

export function standardHeaders(secret: string, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function bridgeConfig(
  { databaseUrl, redisUrl, complianceUrl, idempotencyKey = 'supported', extensions = false, config }: BridgeOptions,
  dataDir: string,
): Config {
  const dialect = {
    signatureAlgorithm: 'sha256',
    signatureEncoding: 'hex',
    signatureEmptyBody: 'empty-string',
    amounts: 'decimal',
    vatRate: 'percent',
    idempotencyKey,
  } as const;
  return {
    port: 0,
    host: '127.0.0.1',
    stopDelaySeconds: 0,
    opsPort: null,
    trustProxy: [],
    trustedHttpHosts: [],
    publicUrl: null,
    dataDir,
    database: { kind: 'external', url: new Secret(databaseUrl) },
    databaseConnections: 12,
    queue: redisUrl === undefined ? { kind: 'postgres' } : { kind: 'redis', url: new Secret(redisUrl) },
    encryptionKeys: new Secret(ENCRYPTION_KEYS),
    compliance:
      complianceUrl === undefined
        ? { kind: 'embedded' }
        : {
            ...{ kind: 'remote', baseUrl: complianceUrl, apiKey: 'key', apiSecret: new Secret('secret'), dialect },
            ...(extensions ? { extensions: embeddedExtensions } : {}),
          },
    accountingCurrency: null,
    bnbRatesUrl: null,
    replacementWaitMinutes: 0,
    mail: { smtpUrl: null, from: 'orderbridge@localhost' },
    appSecrets: {},
    adminToken: null,
    allowPrivateAddresses: true,
    logLevel: 'silent',
    quietSeconds: 0,
    // What is late on a busy machine is not lost.
    leaseSeconds: 10,
    stalledSeconds: 10,
    sweepSeconds: 1,
    retryScale: 1,
    reconcileSeconds: 900,
    concurrency: 16,
    keepDeliveriesDays: 30,
    keepBodiesMb: 200,
    keepDays: { arrivals: 3650, buyers: 365, exports: 30, unreadable: 90, outbox: 30 },
    timeouts: { connectMs: 5_000, headersMs: 8_000, totalMs: 8_000 },
    ...config,
  };
}

/** A paid order of 2 × 24.00 with 20 % VAT, as a self-made shop sends it; pass the fields that differ. */
export function orderOf(id: string, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    number: `#${id}`,
    status: 'paid',
    createdAt: '2026-11-01T10:00:00Z',
    updatedAt: '2026-11-01T10:00:00Z',
    paidAt: '2026-11-01T10:00:00Z',
    currency: 'EUR',
    total: '48.00',
    lines: [{ id: 'a', name: 'Тениска', quantity: 2, amount: '48.00', vatRate: '20' }],
    payment: { method: 'stripe', transactionId: 'pi_1' },
    customer: { email: 'maria@example.invalid', firstName: 'Мария', lastName: 'Иванова' },
    refunds: [],
    ...changes,
  };
}
