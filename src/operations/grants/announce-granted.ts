import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import type { Approval } from './place-grant.ts';

type Told = { approval: Pick<Approval, 'app' | 'store'>; by: Actor; connectionId?: string };

/** Tells the trail of an approval, once what it gave is kept. */
export function announceGranted({ pool }: { pool: Pool }, { approval: { app, store }, by, connectionId }: Told): Promise<void> {
  const after = { store, scopes: 'granted' };
  return writeBridgeActs(pool, [{ who: by, act: 'store.granted', subject: app.id, after, ...(connectionId === undefined ? {} : { connectionId }) }]);
}
