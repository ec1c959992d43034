import pg from 'pg';

/** A pool whose `end` waits until its sockets are closed: open ones would still get an error when the server stops. */
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
