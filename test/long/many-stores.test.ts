import { fleetTest } from '../support/reconciliation/fleet-test.ts';

fleetTest({ count: 2_000, periodSeconds: 120, periods: 3 }, 0.25);
