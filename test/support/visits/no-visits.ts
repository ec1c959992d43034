import type { Visits } from '../../../src/bridge/delivery/record-deliveries.ts';

/** New orders wait in the ledger. */
export const noVisits: Visits = { room: async () => null, take: () => undefined };
