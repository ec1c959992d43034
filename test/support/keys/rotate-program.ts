import { rotateKeys } from '../../../src/operations/keys/rotate-keys.ts';
import { PROGRAM } from '../../../src/platform/audit-log/audit-log.ts';
import { openKeyProcess } from './key-process.ts';

// Rotates after a leak, in a process that is killed. It ends with 0 when nothing is left to do.
const { DATABASE_URL: url = '', ENCRYPTION_KEYS: masters = '' } = process.env;
const opened = await openKeyProcess(url, masters);
process.stdout.write('begun\n');
await rotateKeys(opened, { isLeaked: true, by: PROGRAM }).catch((thrown: unknown) => {
  // It was killed when everything was done.
  if (!String(thrown).includes('nothing is sealed with another key')) throw thrown;
});
await opened[Symbol.asyncDispose]();
