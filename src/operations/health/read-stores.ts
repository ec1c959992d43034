import { APP_WARNING, apiRefusal, type Connection } from '../../bridge/connections/connection.ts';
import { storePauses } from '../../bridge/ledger/sync/store-calls.ts';
import { type StoreReadState, storeReadStates } from '../../bridge/ledger/sync/sync-store.ts';
import { unreadOrders } from '../../bridge/ledger/sync/unread-orders.ts';
import { form } from '../../contract/plural.ts';
import { unreadStore, unreadWarnings } from '../connections/connection-warnings.ts';
import { pausesOfStore, storePauseWords } from '../connections/pauses.ts';
import { secretWarnings } from '../connections/store-secrets.ts';
import { type FailedCheck, failedCheck } from './health-status.ts';
import type { Reader, Round } from './round.ts';

/**
 * The APIs of stores: those that are paused or refuse us, and stores that were not read by theirs for two periods. What comes of it that they refuse the app
 * by which they came is one failed check of that app.
 */
export const storeReader: Reader = {
  codes: ['store.paused', 'store.unread'],
  read: async (round) => [...(await paused(round)), ...(await unread(round))],
};

async function paused({ pool, live }: Round): Promise<FailedCheck[]> {
  const [connections, pauses] = await Promise.all([live(), storePauses(pool)]);
  return connections.flatMap((connection) => {
    const { id, name } = connection;
    const isOfApp = refusedAppOf(connection) !== null;
    // A pause of this connection alone is of a refusal.
    const pause = pausesOfStore(connection, pauses).find(({ connectionId }) => !isOfApp || connectionId === null);
    if (pause !== undefined) {
      return [failedCheck('store.paused', { subject: id, since: pause.since, words: `${name}: ${storePauseWords(pause)}`, verb: 'connections' })];
    }
    const refusal = isOfApp ? null : apiRefusal(connection);
    return refusal === null ? [] : [failedCheck('store.paused', { subject: id, words: `${name}: ${refusal}`, verb: `reconnect ${id} --help` })];
  });
}

async function unread({ pool, live, now, config: { reconcileSeconds } }: Round): Promise<FailedCheck[]> {
  const [connections, reads] = await Promise.all([live(), storeReadStates(pool)]);
  return connections.flatMap((connection) => {
    const { id, name } = connection;
    const state = reads.get(id);
    const found = unreadStore(connection, state, { now, periodMs: reconcileSeconds * 1000 });
    if (found === null || (refusedAppOf(connection) !== null && wasRefused(state))) return [];
    return [failedCheck('store.unread', { subject: id, since: found.since, words: `${name}: ${found.words}`, verb: 'connections' })];
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
      return [failedCheck('store.trial', { subject: id, since: trialSince, words, verb: `start-recording ${id} --from now --dry-run` })];
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
      return failedCheck('orders.unread', { subject: connectionId, count, since, words, verb: 'connections' });
    });
  },
};

/** The app that a store refuses, whatever its merchant granted; null: none is, or the store came by none. */
export function refusedAppOf({ app, warnings }: Pick<Connection, 'app' | 'warnings'>): string | null {
  return app !== null && APP_WARNING in warnings ? app : null;
}

/** Apps whose id and secret stores refuse: one failed check for each app, however many stores came by it. An app whose secrets do not open is a failed check already. */
export const appReader: Reader = {
  codes: ['app.refused'],
  async read({ apps, live }) {
    const [all, connections] = await Promise.all([apps.list(), live()]);
    return all.flatMap(({ id, platform, unopened }) => {
      const refused = connections.filter((connection) => refusedAppOf(connection) === id);
      const [first] = refused;
      if (first === undefined || unopened !== null) return [];
      const count = refused.length;
      const stores = `${count} connected ${form.en(count, 'store says', 'stores say')}`;
      const words = `app ${id}: ${stores}: ${first.warnings[APP_WARNING] ?? ''}`;
      return [failedCheck('app.refused', { subject: id, count, words, verb: `${platform}-app rotate-secret ${id}` })];
    });
  },
};

/** Secrets of live connections and of apps that do not open, or may not be used. Without any secret a store's webhooks are refused. */
export const secretReader: Reader = {
  codes: ['secrets.closed', 'app.closed'],
  async read(round) {
    return [...(await ofConnections(round)), ...(await ofApps(round))];
  },
};

async function ofConnections({ live, config }: Round): Promise<FailedCheck[]> {
  return (await live()).flatMap((connection) => {
    const { wrong } = secretWarnings(connection, config.trustedHttpHosts);
    if (wrong.length === 0) return [];
    const level = connection.secrets.length === 0 ? 'failing' : 'attention';
    return [failedCheck('secrets.closed', { level, subject: connection.id, words: `${connection.name}: ${wrong.join('; ')}`, verb: 'connections' })];
  });
}

async function ofApps({ apps }: Round): Promise<FailedCheck[]> {
  return (await apps.list()).flatMap(({ id, platform, unopened, connections }) => {
    if (unopened === null) return [];
    const level = connections > 0 ? 'failing' : 'attention';
    return [failedCheck('app.closed', { level, subject: id, words: `app ${id}: ${unopened}`, verb: `${platform}-app rotate-secret ${id}` })];
  });
}
