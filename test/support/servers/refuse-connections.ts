import pg from 'pg';

/** A database that takes no connections, and has none: as if its server were down. */
export async function refuseConnections(adminUrl: string, database: string): Promise<{ again(): Promise<void> } & AsyncDisposable> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(`alter database ${database} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [database]);
  let isOpen = false;
  const again = async (): Promise<void> => {
    if (isOpen) return;
    isOpen = true;
    await client.query(`alter database ${database} with allow_connections true`);
    await client.end();
  };
  return { again, [Symbol.asyncDispose]: again };
}
