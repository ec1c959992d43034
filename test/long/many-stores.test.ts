import { fleetTest } from '../support/reconciliation/fleet-test.ts';

// A run costs what it does in life, and there are seven times as many in a second: of 900 s the same would be a fifteenth.
fleetTest({ count: 2_000, periodSeconds: 120, periods: 3 }, 0.5);
