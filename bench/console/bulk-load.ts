import pg from 'pg';

const AT_ONCE = 2;
const SLICE = 2_000;

/** Connections that write quickly: triggers and checks of references rest. */
export class BulkLoader implements AsyncDisposable {
  readonly #clients: pg.Client[];

  private constructor(clients: pg.Client[]) {
    this.#clients = clients;
  }

  static async open(databaseUrl: string): Promise<BulkLoader> {
    const clients = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const client = new pg.Client(databaseUrl);
        await client.connect();
        await client.query(
          `set search_path = bridge; set session_replication_role = replica; set synchronous_commit = off; set jit = off; set maintenance_work_mem = '256MB'`,
        );
        return client;
      }),
    );
    return new BulkLoader(clients);
  }

  /** One statement, with triggers if it says so. */
  async run(sql: string, values: readonly unknown[] = []): Promise<void> {
    await this.#first.query(sql, [...values]);
  }

  async rows<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.#first.query<Row>(sql, [...values])).rows;
  }

  /** A statement for the numbers from $1 to $2, in parts, some at a time: small ones, so that rows lie in the order in which they would have come. */
  async slices(sql: string, { count, values = [] }: { count: number; values?: readonly unknown[] }): Promise<void> {
    const parts = Array.from({ length: Math.ceil(count / SLICE) }, (_, i) => [i * SLICE + 1, Math.min(count, (i + 1) * SLICE)]);
    await this.#each(parts, (client, part) => client.query(sql, [...part, ...values]));
  }

  /** Drops what slows writing down, and makes it anew when the rows are there. */
  async withoutIndexes(tables: readonly string[], work: () => Promise<void>): Promise<void> {
    const indexes = await this.rows<{ name: string; sql: string }>(
      `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as sql from pg_index i
       where i.indrelid = any($1::regclass[]) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
      [tables],
    );
    for (const { name } of indexes) await this.run(`drop index ${name}`);
    await work();
    await this.#each(indexes, (client, { sql }) => client.query(sql));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.end()));
  }

  get #first(): pg.Client {
    const [first] = this.#clients;
    if (first === undefined) throw new Error('there is no connection');
    return first;
  }

  async #each<Part>(parts: readonly Part[], work: (client: pg.Client, part: Part) => Promise<unknown>): Promise<void> {
    const left = [...parts];
    await Promise.all(
      this.#clients.map(async (client) => {
        for (let part = left.shift(); part !== undefined; part = left.shift()) await work(client, part);
      }),
    );
  }
}
