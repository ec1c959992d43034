import type { RecordAccess } from '../operations/orders/record-at-service.ts';
import { openComplianceAccess, openComplianceClient } from './compliance-api.ts';
import type { Core } from './core.ts';

/** Reads records at the compliance service, for a process that has the ledger. */
export async function openRecordAccess(core: Core): Promise<RecordAccess & AsyncDisposable> {
  await using setup = new AsyncDisposableStack();
  const compliance = setup.use(await openComplianceAccess(core));
  const records = setup.use(openComplianceClient(core.config));
  const owned = setup.move();
  return { compliance, records, destinations: core.destinations, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
