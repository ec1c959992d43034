// A process that joins the embedded PostgreSQL of a DATA_DIR, prints its address, and leaves when its standard input ends.
import { once } from 'node:events';
import { createLog } from '../../../src/platform/log.ts';
import { joinEmbeddedPostgres } from '../../../src/platform/postgres/embedded-postgres.ts';

const [, , dataDir = ''] = process.argv;
await using server = await joinEmbeddedPostgres({ dataDir, log: createLog({ level: 'silent', name: 'test' }) });
process.stdout.write(`${server.url}\n`);
process.stdin.resume();
await once(process.stdin, 'end');
