import type pg from 'pg';
import type { AuditOrder, MonthReturn } from '../../../src/service/audit/audit-file.ts';
import { auditOrderOf } from '../../../src/service/audit/file/audit-order-of.ts';
import { monthReturns } from '../../../src/service/audit/file/given-back.ts';
import { countMonth, type MonthCounts, monthOrders } from '../../../src/service/audit/file/read-month.ts';
import { type ComplianceServer, type ServerOptions, startComplianceServer } from '../servers/compliance-server.ts';
import { type Answered, type Call, type Credentials, callerOf, orderDto, shopDto } from './compliance-caller.ts';

export type ListedMonth = { orders: AuditOrder[]; returns: MonthReturn[]; counts: MonthCounts };

/** Our compliance service with a clock that a test sets, one shop, and a function that shows what the file of a month would list. */
export type AuditWorld = {
  server: ComplianceServer;
  call: Call;
  /** The key that `call` uses. */
  credentials: Credentials & { id: string };
  shopId: string;
  /** "2026-10-05T10:00:00Z" */
  setClock(to: string): void;
  now(): Date;
  newShop(changes?: Record<string, unknown>): Promise<string>;
  /** Creates an order and returns its id; throws if it is refused. */
  create(changes?: Record<string, unknown>): Promise<{ id: string; documentNumber: string }>;
  remove(id: string): Promise<void>;
  list(month: string, shopId?: string): Promise<ListedMonth>;
} & AsyncDisposable;

export type WorldOptions = Pick<ServerOptions, 'withPages' | 'log' | 'monthMail' | 'migrated' | 'sealing'>;

export async function startAuditWorld(databaseUrl: string, clock: string, options: WorldOptions = {}): Promise<AuditWorld> {
  let time = clock;
  const now = () => new Date(time);
  const server = await startComplianceServer({ databaseUrl, now, ...options });
  const credentials = await server.service.keys.create({ multiShop: true });
  const call = callerOf(server.baseUrl, credentials);
  const newShop = async (changes: Record<string, unknown> = {}) => text(await call('POST', '/shop', { body: shopDto(changes) }), 'id');
  const shopId = await newShop();
  return {
    server,
    call,
    credentials,
    shopId,
    setClock: (to) => {
      time = to;
    },
    now,
    newShop,
    async create(changes = {}) {
      const answer = await call('POST', '/order', { body: orderDto(shopId, changes) });
      return { id: text(answer, 'id'), documentNumber: text(answer, 'documentNumber') };
    },
    async remove(id) {
      text(await call('DELETE', `/order/${id}`), 'deletedAt');
    },
    list: (month, of = shopId) => inSnapshot(server.pool, (client) => listMonth(client, month, of)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function listMonth(client: pg.PoolClient, month: string, shopId: string): Promise<ListedMonth> {
  const of = { shopId, month, leaveOut: [] };
  const orders: AuditOrder[] = [];
  for await (const page of monthOrders(client, of)) orders.push(...page.map((order) => auditOrderOf(order)));
  const { returns } = await monthReturns(client, { shopId, month, currency: null });
  return { orders, returns, counts: await countMonth(client, of) };
}

async function inSnapshot<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read');
    return await work(client);
  } finally {
    await client.query('rollback');
    client.release();
  }
}

function text({ status, body }: Answered, field: string): string {
  const value = body[field];
  if (status !== 200 || typeof value !== 'string') throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return value;
}
