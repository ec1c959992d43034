/** Has a worker read a store with many changed orders, and measures its memory: `npm run reading -- --count N`. */
import { parseArgs } from 'node:util';
import { measureReading } from '../test/support/reconciliation/measure-reading.ts';

const { values } = parseArgs({ options: { count: { type: 'string', default: '100000' } } });
const { seen, handed, requests, seconds, before, most } = await measureReading({ count: Number(values.count) });
console.log(`${seen} orders, ${handed} of them unknown here, by ${requests} requests in ${seconds.toFixed(0)} s`);
console.log(`memory: ${before.toFixed(0)} MB before, ${most.toFixed(0)} MB at most, ${(most - before).toFixed(0)} MB more`);
