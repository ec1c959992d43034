import pg from 'pg';
import type { TestRedis } from '../../test/support/servers/redis.ts';

type Held = { end(): Promise<void> };

/** Redis is down. */
export async function holdRedis(redis: TestRedis): Promise<Held> {
  await redis.stop();
  return { end: () => redis.start() };
}

/** Jobs can not be written. At the end, the connections that waited to write one are terminated. */
export async function holdPostgresQueue(url: string): Promise<Held> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('begin');
  await client.query('lock table bullmq.job in access exclusive mode');
  return {
    async end() {
      await client.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'orderbridge-queue'`);
      await client.query('rollback');
      await client.end();
    },
  };
}
