import pg from 'pg';
import type { TestRedis } from '../../test/support/servers/redis.ts';

type Held = { end(): Promise<void> };

/** Redis is away. */
export async function holdRedis(redis: TestRedis): Promise<Held> {
  await redis.stop();
  return { end: () => redis.start() };
}

/** Nobody can write a job. In the end, what waited to write one is broken off. */
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
