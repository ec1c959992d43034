/**
 * Starts what docs/operate.md says of three machines on the loopback of this one (two receivers behind nginx, three workers, a console, our compliance
 * service, PgBouncer, three Redis with Sentinels, PostgreSQL with a synchronous standby), restarts, kills and upgrades all of it under webhooks, and
 * compares what was answered with what is recorded: `npm run three-machines -- --seconds 600 --rate 50 --seed 1 [--short]`. It needs nginx and
 * redis-server (Debian: `apt-get install nginx redis-server`) and PgBouncer 1.21 or newer (the variable PGBOUNCER, PATH, or Debian's mirror).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runThreeMachines } from '../test/support/three-machines/run-three-machines.ts';
import { build } from './build/build.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    rate: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    short: { type: 'boolean', default: false },
  },
});
await build(join(import.meta.dirname, '..'));
const chosen = { seconds: Number(values.seconds), rate: Number(values.rate), seed: Number(values.seed), isWhole: !values.short };
const { figures, steps, usage, sizes, verdicts } = await runThreeMachines({ ...chosen, say: (words) => console.error(words) });
console.table({ 'all of it': figures, ...steps });
console.table(usage);
console.log('KB an order');
console.table(sizes);
console.table(Object.fromEntries(verdicts.map(({ what, figure, held }) => [what, { found: figure, held }])));
for (const { what, detail } of verdicts.filter(({ held }) => !held)) console.log(`NOT HELD: ${what}; look at: ${detail}`);
if (verdicts.some(({ held }) => !held)) process.exitCode = 1;
