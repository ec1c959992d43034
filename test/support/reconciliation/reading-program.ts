/** A worker in a process of its own that reads `ChangingStore`s: a test may kill it, or measure it. */
import { Bridge } from '../worlds/bridge.ts';
import { readStorefronts } from '../worlds/changing-store-api.ts';

const [databaseUrl = '', redisUrl = '', complianceUrl = '', periodSeconds = '1'] = process.argv.slice(2);

await Bridge.start({ databaseUrl, redisUrl, complianceUrl, role: 'worker', storefronts: readStorefronts, config: { reconcileSeconds: Number(periodSeconds) } });
process.stdout.write('ready\n');
