import type { FirstAttempts } from '../../../src/bridge/delivery/record-deliveries.ts';

/** New orders wait in the ledger. */
export const noAttempts: FirstAttempts = { capacity: async () => null, take: () => undefined };
