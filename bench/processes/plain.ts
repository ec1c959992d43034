// The service that one writes in an afternoon: Express takes the webhook, BullMQ carries it, a worker maps, signs and posts with got. No ledger:
// a repeated webhook is a second record, a lost reply is sent again, an edit or a refund is not seen.
// With DATABASE_URL it is what takes two days: an order and its body are in PostgreSQL before the answer, and a repeated webhook is recorded once.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { type Job, Queue, Worker } from 'bullmq';
import express, { type Request, type Response } from 'express';
import got from 'got';
import { Redis } from 'ioredis';
import pg from 'pg';
import { pino } from 'pino';
import { tellPort } from './messages.ts';

type Kept = Pick<ShopifyOrder, 'id' | 'name'>;
type ShopifyLine = { name: string; quantity: number; price: string; tax_lines: { rate: number }[]; discount_allocations: { amount: string }[] };
type ShopifyOrder = {
  id: number;
  name: string;
  created_at: string;
  currency: string;
  email: string;
  phone: string;
  customer: { first_name: string; last_name: string };
  line_items: ShopifyLine[];
  shipping_lines: Omit<ShopifyLine, 'quantity' | 'name'>[];
};

const env = (name: string): string => process.env[name] ?? '';
const role = env('PLAIN_ROLE');
const log = pino();
const connection = new Redis(env('REDIS_URL'), { maxRetriesPerRequest: null });
const retries = { attempts: 10, backoff: { type: 'exponential', delay: 1_000 }, removeOnComplete: true };
const queue = new Queue<ShopifyOrder | Kept>('orders', { connection, defaultJobOptions: retries });
const database = env('DATABASE_URL') === '' ? null : new pg.Pool({ connectionString: env('DATABASE_URL'), max: 10 });
await database?.query(
  `create table if not exists orders (
     id text primary key, number text not null, body jsonb not null, received_at timestamptz not null default now(), record_id text
   )`,
);
const vatGroups = new Map([
  [0.2, 'GROUP_B'],
  [0.09, 'GROUP_D'],
]);

const app = express();
app.post('/webhooks/shopify', express.raw({ type: '*/*', limit: '5mb' }), async (request: Request<unknown, unknown, Buffer>, response: Response) => {
  const claimed = Buffer.from(request.get('x-shopify-hmac-sha256') ?? '', 'base64');
  const expected = createHmac('sha256', env('WEBHOOK_SECRET')).update(request.body).digest();
  if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) return response.sendStatus(401);
  const text = request.body.toString();
  const order: ShopifyOrder = JSON.parse(text);
  await queue.add('order', database === null ? order : await keep(database, order, text));
  return response.sendStatus(200);
});

async function keep(pool: pg.Pool, { id, name }: ShopifyOrder, body: string): Promise<Kept> {
  const text = 'insert into orders (id, number, body) values ($1, $2, $3) on conflict (id) do update set body = excluded.body, received_at = now()';
  await pool.query({ name: 'keep', text, values: [id, name, body] });
  return { id, name };
}

/** Null: recorded already. */
async function kept(pool: pg.Pool, { id }: Kept): Promise<ShopifyOrder | null> {
  const { rows } = await pool.query<{ body: ShopifyOrder }>({
    name: 'kept',
    text: 'select body from orders where id = $1 and record_id is null',
    values: [id],
  });
  return rows[0]?.body ?? null;
}

async function submitKept(pool: pg.Pool, given: Kept): Promise<string> {
  const order = await kept(pool, given);
  if (order === null) return 'recorded before';
  const recordId = await submit(order);
  await pool.query({ name: 'recorded', text: 'update orders set record_id = $2 where id = $1', values: [given.id, recordId] });
  return recordId;
}

function toLine({ name, quantity, price, tax_lines, discount_allocations }: ShopifyLine) {
  const rate = tax_lines[0]?.rate ?? 0;
  const discount = discount_allocations.reduce((sum, { amount }) => sum + Number(amount), 0);
  return { name, quantity, price: Number(price), discount, vatRate: rate * 100, vatGroup: vatGroups.get(rate) ?? 'GROUP_A' };
}

function toDto(order: ShopifyOrder) {
  const { email, phone, customer, line_items, shipping_lines } = order;
  return {
    internalId: String(order.id),
    internalNumber: order.name,
    internalCreatedAt: order.created_at,
    customer: { email, phone, firstName: customer.first_name, lastName: customer.last_name },
    lineItems: [...line_items, ...shipping_lines.map((line) => ({ ...line, name: 'Shipping', quantity: 1 }))].map(toLine),
    paymentType: 'PAYMENT_PROCESSOR',
    paymentProcessorName: 'Shopify Payments',
    precision: 2,
    currency: order.currency,
    shopId: env('SHOP_ID'),
  };
}

async function submit(order: ShopifyOrder): Promise<string> {
  const body = JSON.stringify(toDto(order));
  const signature = createHmac('sha256', env('API_SECRET')).update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-api-key': env('API_KEY'), 'x-signature': signature };
  const reply = await got.post(`${env('STUB_URL')}/public-api/v1/order`, { body, headers, timeout: { request: 20_000 } }).json<{ id: string }>();
  return reply.id;
}

if (role !== 'web') {
  const options = { connection: connection.duplicate(), concurrency: Number(env('CONCURRENCY')) };
  const worker =
    database === null
      ? new Worker<ShopifyOrder, string>('orders', (job) => submit(job.data), options)
      : new Worker<Kept, string>('orders', (job) => submitKept(database, job.data), options);
  worker.on('completed', (job: Job<Kept>, id) => log.info({ order: job.data.name, id }, 'order recorded'));
  worker.on('failed', (job: Job<Kept> | undefined, err: Error) => log.error({ order: job?.data.name, err }, 'order not recorded'));
}

await tellPort(createServer(app));
