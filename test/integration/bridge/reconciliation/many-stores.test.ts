import { fleetTest } from '../../../support/reconciliation/fleet-test.ts';

// 2,000 stores are read by test/long/many-stores.test.ts.
fleetTest({ count: 60, periodSeconds: 15, periods: 1 }, 0.5);
