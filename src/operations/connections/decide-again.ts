import type { Connection } from '../../bridge/connections/connection.ts';
import type { SettingsInput } from '../../bridge/connections/connection-settings.ts';
import { curedCodes } from '../../bridge/connections/cured-codes.ts';
import type { Notify } from '../../bridge/delivery/notify.ts';
import { replan } from '../../bridge/ledger/behind-store.ts';
import type { OrderInReview } from '../../bridge/ledger/release-from-review.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type Actor, PROGRAM } from '../../platform/trail/trail.ts';
import { type AlikeOrders, type HeldBack, type Patience, releaseOneFirst } from '../one-first.ts';
import { freedOrders, isOutdated } from './freed-orders.ts';

/** What changed of a connection. `span`: which orders count by the time of their payment. */
type Changed = {
  connection: Connection;
  settings: SettingsInput | null;
  span: boolean;
  storeApi: boolean;
  why?: string | undefined;
  /** The orders in review that the settings may free, if that was looked up already. */
  freed?: readonly AlikeOrders[];
};

/** `by`: who changed it; not given: the program. `patience` null: no order goes first; not given: one does, for a minute. */
type Deps = { pool: Pool; notify: Notify; by?: Actor; patience?: Patience | null };

/** `released` counts the orders that waited for a person; `held` is absent if none is held back. */
export type DecidedAgain = { released: number; held?: readonly HeldBack[] };

const WAIT_MS = 60_000;

/** Decides again about the orders that a change of their connection may cure. */
export async function decideAgain(deps: Deps, { connection, settings, span, storeApi, why, freed }: Changed): Promise<DecidedAgain> {
  const { pool, notify, by = PROGRAM, patience = { waitMs: WAIT_MS } } = deps;
  const { id } = connection;
  const answered = storeApi ? await replan(pool, { waitsForStoreOf: id }) : [];
  // Settings also say which orders count, and from when: those that the old ones left out are decided again.
  const leftOut = settings !== null || span ? await replan(pool, { unrecordedOf: id }) : [];
  notify([...answered, ...leftOut]);
  if (settings === null) return { released: 0 };
  const groups = freed ?? (await freedOrders(pool, connection, curedCodes(settings)));
  const endsAtRefusal = { isOutdated: (order: OrderInReview) => isOutdated(pool, connection, order) };
  const { released, held } = await releaseOneFirst({ pool, notify }, { groups, by, why, patience, endsAtRefusal });
  return { released: released.length, ...(held.length === 0 ? {} : { held }) };
}
