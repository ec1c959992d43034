/**
 * Lets two shops of a merchant live for two years as a seed says, through the service's HTTP interface on a faked clock, and holds the files that the
 * agency has at last against what stands: `npm run month-scenarios -- --count N --seed S [--tries N]`. Scenario N of seed S is scenario 1 of seed S + N - 1.
 */
import { parseArgs } from 'node:util';
import { checkServiceScenarios } from '../test/support/scenarios/check-scenarios.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '200' }, seed: { type: 'string', default: '1' }, tries: { type: 'string', default: '150' } },
});
const asked = { count: Number(values.count), seed: Number(values.seed), tries: Number(values.tries) };
const wrong = await checkServiceScenarios(asked);
if (wrong === null) console.log(`${asked.count} scenarios from seed ${asked.seed}: what stands is what was filed less what was given back`);
else {
  console.error(wrong);
  process.exitCode = 1;
}
