import pg from 'pg';
import { openKeyProcess } from '../keys/key-process.ts';
import { type KillableProgram, startKillable } from '../servers/killable-program.ts';
import { ENCRYPTION_KEYS } from './bridge.ts';
import { type Answered, type Credentials, callerOf, orderDto, shopDto } from './compliance-caller.ts';
import { until } from './settled.ts';
import { someAtOnce } from './some-at-once.ts';

/** As the caller was answered, or as the database has it. */
type Created = { internalId: string; id: string; documentNumber: string };
/** `failures`: tries that got no answer, or another than 200; `wrong`: what was answered but 503, which is right where hundreds wait. */
type Rushed = { created: Created[]; failures: number; wrong: number[] };

const AT_ONCE = 500;
const AGAIN_MS = 30_000;
const NOBODY = 'http://127.0.0.1:9';

/** Two processes of the compliance service on one database, a shop, and callers who do not give up. */
export class OrderRush implements AsyncDisposable {
  readonly programs: [KillableProgram, KillableProgram];
  readonly #databaseUrl: string;
  readonly #credentials: Credentials;
  readonly #shopId: string;
  readonly #resources: AsyncDisposableStack;
  #answered = 0;

  private constructor(
    parts: { programs: [KillableProgram, KillableProgram]; databaseUrl: string; credentials: Credentials; shopId: string },
    resources: AsyncDisposableStack,
  ) {
    this.programs = parts.programs;
    this.#databaseUrl = parts.databaseUrl;
    this.#credentials = parts.credentials;
    this.#shopId = parts.shopId;
    this.#resources = resources;
  }

  static async start(databaseUrl: string): Promise<OrderRush> {
    await using setup = new AsyncDisposableStack();
    const start = async () => setup.use(await startKillable({ databaseUrl, complianceUrl: NOBODY, idempotencyKey: 'supported', role: 'compliance' }));
    const programs = await Promise.all([start(), start()]);
    const credentials = await createKey(databaseUrl);
    const { body } = await callerOf(programs[0].url, credentials)('POST', '/shop', { body: shopDto() });
    return new OrderRush({ programs, databaseUrl, credentials, shopId: String(body['id']) }, setup.move());
  }

  /** Answers so far. */
  get answered(): number {
    return this.#answered;
  }

  /** Creates so many orders, hundreds at once, in turn at both processes; a failed request is sent again to the other one, with the same key. */
  async create(count: number): Promise<Rushed> {
    const rushed: Rushed = { created: [], failures: 0, wrong: [] };
    const ids = Array.from({ length: count }, (_, n) => `rush-${n}`);
    rushed.created = await someAtOnce(ids, AT_ONCE, (internalId) => this.#createSurely(internalId, rushed));
    return rushed;
  }

  #createSurely(internalId: string, rushed: Rushed): Promise<Created> {
    let tries = Number(internalId.slice(-1));
    const attempt = async (): Promise<Created> => {
      const answer = await this.#send(internalId, tries++).catch(() => undefined);
      if (answer?.status !== 200) {
        rushed.failures += 1;
        if (answer !== undefined && answer.status !== 503) rushed.wrong.push(answer.status);
        throw new Error(`answered ${answer?.status ?? 'nothing'}: ${JSON.stringify(answer?.body)}`);
      }
      this.#answered += 1;
      return { internalId, id: String(answer.body['id']), documentNumber: String(answer.body['documentNumber']) };
    };
    return until(attempt, { what: `order ${internalId} to be created`, timeoutMs: AGAIN_MS });
  }

  #send(internalId: string, turn: number): Promise<Answered> {
    const program = this.programs[turn % 2 === 0 ? 0 : 1];
    const body = orderDto(this.#shopId, { internalId, internalNumber: internalId });
    return callerOf(program.url, this.#credentials)('POST', '/order', { body, headers: { 'idempotency-key': internalId } });
  }

  /** Every recorded order, by its number. */
  async stored(): Promise<Created[]> {
    return query<Created>(
      this.#databaseUrl,
      `select internal_id as "internalId", id, lpad(document_number::text, 10, '0') as "documentNumber" from compliance.orders order by document_number`,
    );
  }

  /** Holds up the group that the order `internalId` comes in: another transaction has its key locked until the database is killed. */
  async holdUp(internalId: string): Promise<void> {
    const other = new pg.Client({ connectionString: this.#databaseUrl });
    // It ends with the database.
    other.on('error', () => undefined);
    await other.connect();
    await other.query('begin');
    await other.query(
      `insert into compliance.idempotency_keys (api_key_id, key, fingerprint, order_id, created_at) select id, $1, '', gen_random_uuid(), now() from compliance.api_keys`,
      [internalId],
    );
  }

  /** Waits for the group that is held up, and kills its backend: the database ends all others, too, and recovers from its log. */
  async killDatabase(): Promise<void> {
    process.kill(await until(() => this.#heldUp(), { what: 'a group to be held up', timeoutMs: AGAIN_MS }), 'SIGKILL');
  }

  async #heldUp(): Promise<number> {
    const held = `select pid from pg_stat_activity where wait_event = 'transactionid' and query like '%compliance.create_orders(%'`;
    const [busy] = await query<{ pid: number }>(this.#databaseUrl, held);
    if (busy === undefined) throw new Error('no group is held up');
    return busy.pid;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#resources.disposeAsync();
  }
}

async function createKey(databaseUrl: string): Promise<Credentials> {
  await using one = await openKeyProcess(databaseUrl, ENCRYPTION_KEYS);
  return await one.apiKeys.create({ multiShop: false });
}

async function query<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}
