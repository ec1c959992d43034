import pg from 'pg';

/** A pool whose `end` waits until its sockets are closed: one that only says so would still be told when the server stops. */
export function openPool(connectionString: string, options: pg.PoolConfig = {}): { pool: pg.Pool; end(): Promise<void> } {
  const pool = new pg.Pool({ connectionString, max: 10, ...options });
  const closed: Promise<unknown>[] = [];
  pool.on('connect', (client) => closed.push(new Promise((resolve) => client.once('end', () => resolve(client)))));
  const end = async (): Promise<void> => {
    await pool.end();
    await Promise.all(closed);
  };
  return { pool, end };
}
