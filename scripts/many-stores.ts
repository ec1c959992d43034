/**
 * Has one worker read many stores, of which some are slow, hang or fail: `npm run stores -- --count 2000 --period 900 --periods 1 --seed 1`. A period is in
 * seconds; each store is read once more than there are periods. It ends with 1 if one that is well was read later than half a period after its time.
 */
import { parseArgs } from 'node:util';
import { fleetWords, readFleet } from '../test/support/reconciliation/read-fleet.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    period: { type: 'string', default: '900' },
    periods: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
  },
});
const form = { count: Number(values.count), periodSeconds: Number(values.period), periods: Number(values.periods), seed: Number(values.seed) };
const read = await readFleet(form, 0.5);
console.log(fleetWords(read));
for (const late of read.late) console.log(`late: ${late}`);
if (read.late.length > 0) process.exitCode = 1;
