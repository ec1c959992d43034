import { type Core, openCore } from '../../../src/app/core.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { SHOP_FLAGS } from '../samples/shop-flags.ts';
import { postWoo } from '../samples/signed-webhooks.ts';
import { wooLine, wooOrder } from '../samples/woo-order.ts';
import type { Program } from '../servers/program.ts';
import { ENCRYPTION_KEYS } from './bridge.ts';
import { type CliWorld, listedOrders, startCliWorld } from './cli-world.ts';
import { until } from './settled.ts';

export type Connection = {
  connectionId: string;
  webhookUrl: string;
  recordFrom: string;
  earlierStore: { is: string; connectionId: string } | null;
  gap: { from: string; until: string } | null;
};
export type Listed = { id: number; orderId: string; connectionId: string; state: string; recordedTotal: string | null; review: { code: string } | null };

type Target = Pick<Connection, 'webhookUrl'> & { secret?: string };
type Recorded = { store: string; id: string; flags?: readonly string[] };

const SECRET = 'one secret';
const SETTINGS = { recordFrom: '2026-11-01T00:00:00Z', vatGroups: { '9': 'GROUP_D' } };

/** The program with its server, as a merchant runs it; `core` reaches its ledger. */
export class CliStores implements AsyncDisposable {
  readonly program: Program;
  readonly core: Core;
  readonly #world: CliWorld;
  readonly #resources: AsyncDisposableStack;

  private constructor(world: CliWorld, core: Core, resources: AsyncDisposableStack) {
    this.program = world.program;
    this.#world = world;
    this.core = core;
    this.#resources = resources;
  }

  static async start(): Promise<CliStores> {
    await using setup = new AsyncDisposableStack();
    const world = setup.use(await startCliWorld({ ALLOW_PRIVATE_ADDRESSES: 'true' }));
    const { program, databaseUrl } = world;
    await program.start();
    await program.writeJson('settings.json', SETTINGS);
    const env = { DATA_DIR: program.dataDir, DATABASE_URL: databaseUrl, ENCRYPTION_KEYS };
    const loaded = loadConfig(env, { role: 'all', cwd: program.dataDir });
    if (!loaded.ok) throw new Error(loaded.problems.join('; '));
    const core = setup.use(await openCore(loaded.config, createLog({ level: 'silent', name: 'test' })));
    return new CliStores(world, core, setup.move());
  }

  async shop(): Promise<string> {
    return (await this.program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
  }

  connect(shop: string, flags: readonly string[] = []): Promise<Connection> {
    return this.program.json<Connection>(['connect', ...wooFlags(shop), ...flags]);
  }

  /** What the command says to a person. */
  connectInWords(shop: string, flags: readonly string[] = []): Promise<string> {
    return this.program.ok(['connect', ...wooFlags(shop), ...flags]);
  }

  /** Sends an order of the sample, changed; the answer's status. */
  async send({ webhookUrl, secret = SECRET }: Target, store: string, values: Record<string, unknown>): Promise<number> {
    return (await postWoo(webhookUrl, { topic: 'order.updated', body: wooOrder(values), secret, store })).status;
  }

  /** Sends it until the server, which hears of a change a moment later, takes it. */
  async deliver(to: Target, store: string, values: Record<string, unknown>): Promise<void> {
    await until(async () => (await this.send(to, store, values)) === 200, { what: 'the webhook to be taken' });
  }

  /** Every order with this id, once each has come to the state. */
  settled(orderId: string, state: string): Promise<Listed[]> {
    return listedOrders<Listed>(this.#world, { orderId, state });
  }

  /** As if the store had been disconnected so long ago. */
  async disconnect({ connectionId }: Pick<Connection, 'connectionId'>, hoursAgo = 0): Promise<void> {
    await this.program.ok(['disconnect', connectionId]);
    await this.core.pool.query(`update connections set closed_at = now() - $2 * interval '1 hour' where id = $1`, [connectionId, hoursAgo]);
  }

  /** Connects a store and records an order of it. */
  async recorded(shop: string, { store, id, flags = [] }: Recorded): Promise<Connection> {
    const connection = await this.connect(shop, ['--settings', 'settings.json', ...flags]);
    await this.deliver(connection, store, { id: Number(id), number: id });
    await this.settled(id, 'recorded');
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

function wooFlags(shop: string): string[] {
  return ['--platform', 'woocommerce', '--name', 'Corner', '--secret', SECRET, '--compliance-shop', shop];
}

/** The refund of the whole order of the sample. */
export const refundedInFull = { status: 'refunded', date_modified_gmt: '2026-11-21T03:00:00', refunds: [{ id: 90, total: '-24.00' }] };

/** An order of a T-shirt at 20 % and a book at 9 %, and the refund of the book, of which a webhook tells the amount alone. */
export const twoRates = {
  total: '34.90',
  line_items: [
    wooLine(),
    wooLine({ id: 71, name: 'Book', subtotal: '10.00', subtotal_tax: '0.90', total: '10.00', total_tax: '0.90', taxes: [{ id: 2, total: '0.90' }] }),
  ],
};
export const bookReturned = { ...twoRates, date_modified_gmt: '2026-11-21T03:00:00', refunds: [{ id: 91, total: '-10.90' }] };

const refundLine = { id: 92, quantity: -1, total: '-10.00', total_tax: '-0.90', meta_data: [{ key: '_refunded_item_id', value: '71' }] };
const refund = { id: 91, date_created_gmt: '2026-11-21T03:00:00', amount: '10.90', line_items: [refundLine], shipping_lines: [], fee_lines: [] };

/** What the store's REST API answers to a key, and who it is. */
export function wooAnswer(path: string, storeId: string): { status: number; body: unknown } | undefined {
  if (path.includes('/system_status')) return { status: 200, body: { environment: { store_id: storeId } } };
  // What `connect` tries: a list of orders, and a webhook without an address.
  if (path.includes('/orders?')) return { status: 200, body: [] };
  if (path.includes('/webhooks')) return { status: 400, body: { code: 'rest_missing_callback_param' } };
  return path.includes('/refunds') ? { status: 200, body: [refund] } : undefined;
}
