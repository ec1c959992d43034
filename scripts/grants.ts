/**
 * Two processes call one store at once by a grant whose tokens rotate, in every tenth round one of them is killed with kill -9, answers are lost and come
 * late: `npm run grants -- --count N --seed S`, for each way in which Shopify's documentation can be read.
 */
import { parseArgs } from 'node:util';
import { READINGS } from '../test/support/grants/grant-endpoint.ts';
import { refreshAtOnce } from '../test/support/grants/refresh-at-once.ts';
import { startOwnPostgres } from '../test/support/servers/own-postgres.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
for (const [index, reading] of READINGS.entries()) {
  await using postgres = await startOwnPostgres();
  const became = await refreshAtOnce({ databaseUrl: postgres.url, count: Number(values.count), seed: Number(values.seed) + 10 * index, reading });
  console.log(`a repeated refresh gives ${reading.repeated}, used by ${reading.usedBy}: ${JSON.stringify(became)}`);
  if (!became.alive || became.ended.length > 0 || became.defects.length > 0 || became.twice > 0) process.exitCode = 1;
}
