import type { RecordReader } from '../../bridge/client/port.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import type { Pause } from '../../bridge/delivery/pauses.ts';
import type { Destination } from '../../bridge/ledger/connections/destination-store.ts';
import type { ReadableStore, ReadPageDeps } from '../../bridge/reconciliation/read-page.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { ComplianceAccess } from '../compliance-access.ts';
import type { FindConnection } from '../connections/known-connection.ts';

/** What it takes to hold stores, ledger and service against each other. */
export type ReconcileDeps = ReadPageDeps & {
  pool: Pool;
  /** A store is named by its first delivery: a connection is read anew for each look. */
  connections: FindConnection;
  compliance: Pick<ComplianceAccess, 'endpointOf'>;
  destinations: { find(id: string): Promise<Destination | null>; pauses(): Promise<Pause[]> };
  records: RecordReader;
  /**
   * Null: there is no access to it, or its platform lists no orders. `waitMs`: how long each call of it waits for its turn and for pauses. `isOne`: one order
   * is wanted.
   */
  openStore(connection: Connection, waitMs: number, isOne?: true): Promise<ReadableStore | null>;
  notify: Notify;
  by: Actor;
};
