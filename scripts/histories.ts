/**
 * Tells random histories of orders in random order of delivery, and holds what ends recorded against an independent model of what was paid and
 * kept: `npm run histories -- --count N --seed S`.
 */
import { parseArgs } from 'node:util';
import { checkHistories } from '../test/support/histories/check-histories.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '10000' }, seed: { type: 'string', default: '1' } } });
const report = await checkHistories({ count: Number(values.count), seed: Number(values.seed) });
console.log(report.lines.join('\n'));
if (report.wrong !== null) {
  console.error(report.wrong);
  process.exitCode = 1;
}
