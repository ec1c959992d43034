import { fleetTest } from '../../../support/reconciliation/fleet-test.ts';

// 2,000 stores are read by test/long/many-stores.test.ts.
fleetTest({ count: 100, periodSeconds: 15, periods: 2 }, 0.5);
