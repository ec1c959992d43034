import { expect, test } from 'vitest';
import * as events from '../../../src/bridge/bridge-events.ts';
import { linesOf } from '../../support/samples/logged-events.ts';

const embedded = { database: 'embedded', dataDir: 'data', queue: 'postgres', complianceUrl: null } as const;

test('say what a process runs on, without the address of database or queue', () => {
  const remote = { database: 'external', dataDir: 'data', queue: 'redis', complianceUrl: 'https://compliance.example' } as const;

  expect([embedded, remote].map((where) => linesOf((log) => events.ground(log, where)))).toEqual([
    [
      { level: 'info', dataDir: 'data', msg: 'DATABASE_URL is unset: the ledger is in an embedded PostgreSQL in DATA_DIR' },
      { level: 'info', msg: 'REDIS_URL is unset: BullMQ runs on PostgreSQL, in the database of the ledger; set REDIS_URL for production' },
      { level: 'info', msg: 'COMPLIANCE_API_URL is unset: the embedded compliance service is used' },
    ],
    [
      { level: 'info', msg: 'the ledger is in the PostgreSQL of DATABASE_URL' },
      { level: 'info', msg: 'BullMQ runs on the Redis of REDIS_URL' },
      { level: 'info', baseUrl: 'https://compliance.example', msg: 'records go to the compliance service of COMPLIANCE_API_URL' },
    ],
  ]);
});
