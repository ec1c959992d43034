/**
 * Kills workers with kill -9 at random moments of their pages of due orders, with a compliance service that honours Idempotency-Keys, with one that
 * ignores them, and with one that refuses every other repeat, and counts what became of the orders: `npm run killed -- --count N --kills K --seed S`.
 */
import { parseArgs } from 'node:util';
import { killPages } from '../test/support/kills/kill-pages.ts';
import { startOwnPostgres } from '../test/support/servers/own-postgres.ts';
import { startRedis } from '../test/support/servers/redis.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '5000' }, kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
for (const keys of ['supported', 'ignored', 'refused-at-times'] as const) {
  await using postgres = await startOwnPostgres();
  await using redis = await startRedis({ appendFsync: 'always' });
  const chosen = { count: Number(values.count), kills: Number(values.kills), seed: Number(values.seed) };
  const left = await killPages({ databaseUrl: postgres.url, redisUrl: redis.url, keys, ...chosen });
  console.log(`keys ${keys}: ${JSON.stringify(left)}`);
  const isAsked = keys === 'supported' && left.asked > 0;
  if (left.twice > 0 || left.without > 0 || isAsked) process.exitCode = 1;
}
