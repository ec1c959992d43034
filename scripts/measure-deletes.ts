/** Deletes orders where each table that a delete touches has many rows: `npm run deletes -- --rows N --count N`. */
import { parseArgs } from 'node:util';
import { measureDeletes } from '../test/support/deletes/measure-deletes.ts';

const { values } = parseArgs({ options: { rows: { type: 'string', default: '300000' }, count: { type: 'string', default: '200' } } });
const measured = await measureDeletes({ rows: Number(values.rows), deletes: Number(values.count) });
for (const [month, { median, p95 }] of Object.entries(measured)) {
  console.log(`${values.count} deletes, month ${month}: ${median.toFixed(2)} ms in the median, 95 % within ${p95.toFixed(2)} ms`);
}
