import { apiRefusal } from '../../bridge/connections/connection.ts';
import { type StoreReadState, storeReadStates } from '../../bridge/ledger/reading-store.ts';
import { storePauses } from '../../bridge/ledger/store-calls.ts';
import { unreadOrders } from '../../bridge/ledger/unread-orders.ts';
import { pausesOfStore, storePauseWords } from '../connections/store-pauses.ts';
import { unreadStore } from '../connections/store-read.ts';
import { unreadWarnings } from '../connections/unread-warnings.ts';
import type { Look, Reader } from './look.ts';
import { refusedAppOf } from './read-apps.ts';
import { reasonOf } from './reason-of.ts';
import type { Reason } from './verdict.ts';

/**
 * The APIs of stores: those that are paused or refuse us, and stores that were not read by theirs for two periods. What comes of it that they refuse the app
 * by which they came is one reason of that app.
 */
export const storeReader: Reader = {
  codes: ['store.paused', 'store.unread'],
  read: async (look) => [...(await paused(look)), ...(await unread(look))],
};

async function paused({ pool, live }: Look): Promise<Reason[]> {
  const [connections, pauses] = await Promise.all([live(), storePauses(pool)]);
  return connections.flatMap((connection) => {
    const { id, name } = connection;
    const isOfApp = refusedAppOf(connection) !== null;
    // A pause of this connection alone is of a refusal.
    const pause = pausesOfStore(connection, pauses).find(({ connectionId }) => !isOfApp || connectionId === null);
    if (pause !== undefined) {
      return [reasonOf('store.paused', { subject: id, since: pause.since, words: `${name}: ${storePauseWords(pause)}`, verb: 'connections' })];
    }
    const refusal = isOfApp ? null : apiRefusal(connection);
    return refusal === null ? [] : [reasonOf('store.paused', { subject: id, words: `${name}: ${refusal}`, verb: `reconnect ${id} --help` })];
  });
}

async function unread({ pool, live, now, config: { reconcileSeconds } }: Look): Promise<Reason[]> {
  const [connections, reads] = await Promise.all([live(), storeReadStates(pool)]);
  return connections.flatMap((connection) => {
    const { id, name } = connection;
    const state = reads.get(id);
    const found = unreadStore(connection, state, { now, periodMs: reconcileSeconds * 1000 });
    if (found === null || (refusedAppOf(connection) !== null && wasRefused(state))) return [];
    return [reasonOf('store.unread', { subject: id, since: found.since, words: `${name}: ${found.words}`, verb: 'connections' })];
  });
}

function wasRefused(state: StoreReadState | undefined): boolean {
  return state?.last?.error?.startsWith('storefront.refused') === true;
}

const LONG_TRIAL_MS = 3 * 24 * 60 * 60 * 1000;

/** Stores whose trial nobody ended, though their orders are paid. */
export const trialReader: Reader = {
  codes: ['store.trial'],
  async read({ live, now }) {
    return (await live()).flatMap(({ id, name, trialSince }) => {
      if (trialSince === null || now - Date.parse(trialSince) < LONG_TRIAL_MS) return [];
      const words = `${name}: on trial since ${trialSince}: nothing of it is recorded`;
      return [reasonOf('store.trial', { subject: id, since: trialSince, words, verb: `start-recording ${id} --from now --dry-run` })];
    });
  },
};

/** Orders that a store lists and does not show whole. */
export const unreadOrderReader: Reader = {
  codes: ['orders.unread'],
  async read({ pool, live }) {
    const [connections, unread] = await Promise.all([live(), unreadOrders(pool)]);
    const names = new Map(connections.map(({ id, name }) => [id, name]));
    return unread.map((of) => {
      const { connectionId, count, since } = of;
      const words = `${names.get(connectionId) ?? connectionId}: ${unreadWarnings(of).join('; ')}`;
      return reasonOf('orders.unread', { subject: connectionId, count, since, words, verb: 'connections' });
    });
  },
};
