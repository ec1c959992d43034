import { ACCESS_WARNING, APP_WARNING, apiRefusal, type Connection } from '../../../bridge/connections/connection.ts';
import { everyTraffic } from '../../../bridge/ledger/deliveries/traffic-store.ts';
import { storePauses } from '../../../bridge/ledger/sync/store-calls.ts';
import { type StoreReadState, storeReadStates, storesThatWait } from '../../../bridge/ledger/sync/sync-store.ts';
import { unreadOrders } from '../../../bridge/ledger/sync/unread-orders.ts';
import { storefrontOf, storefronts } from '../../../bridge/storefronts/registry.ts';
import { counted, form } from '../../../contract/plural.ts';
import { unreadStore, unreadWarnings } from '../../connections/connection-warnings.ts';
import { pausesOfStore, storePauseWords } from '../../connections/pauses.ts';
import { isWeakSecret, secretWarnings } from '../../connections/store-secrets.ts';
import { type Check, type Codes, type DoctorRemark, failedBy, type NameOf, notes, ofStore, orders, store } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';
import type { Round } from '../round.ts';
import { fewOf } from './destinations.ts';

export const codes = {
  'secrets.closed': {
    level: 'failing',
    what: 'secrets',
    en: 'Secrets of a connected store can’t be read or used.',
    bg: 'Тайни ключове на свързан магазин не могат да бъдат прочетени или използвани.',
    isWrong: true,
    bgOf: ofStore('Тайните му ключове не могат да бъдат прочетени или използвани.'),
    action: store,
  },
  'app.closed': {
    level: 'failing',
    what: 'secrets',
    en: 'The secret of an app by which stores are connected can’t be read, so that webhooks signed with it are refused.',
    bg: 'Тайният ключ на приложение, чрез което са свързани магазини, не може да бъде прочетен и подписаните с него известия се отказват.',
    isWrong: true,
    bgOf: ({ subject }) => `Тайният ключ на приложение ${subject ?? ''} не може да бъде прочетен и подписаните с него известия се отказват.`,
  },
  'app.refused': {
    level: 'attention',
    what: 'secrets',
    en: 'The platform does not take the client id and secret of an app by which stores are connected, so that their APIs can’t be used.',
    bg: 'Платформата не приема идентификатора и тайния ключ на приложение, чрез което са свързани магазини, и техният API не може да бъде ползван.',
    isWrong: true,
    bgOf: ({ subject, count }) =>
      `Платформата не приема идентификатора и тайния ключ на приложение ${subject ?? ''} (${form.bg(count ?? 0, '1 магазин', `${count ?? 0} магазина`)}).`,
  },
  'stores.late': {
    level: 'attention',
    what: 'store APIs',
    en: 'Stores are read later than RECONCILE_SECONDS says: they are due, and no worker comes to them.',
    bg: 'Магазините се четат по-късно, отколкото е зададено: ред им е, а работните процеси не стигат до тях.',
    isWrong: true,
    bgOf: ({ count }) =>
      `${counted.bg(count ?? 0, 'магазин чака', 'магазина чакат')} ред да ${form.bg(count ?? 0, 'бъде прочетен', 'бъдат прочетени')} чрез своя API: работните процеси не стигат до ${form.bg(count ?? 0, 'него', 'тях')} навреме.`,
  },
  'store.paused': {
    level: 'attention',
    what: 'store APIs',
    en: 'The API of a store hangs, fails or refuses its key.',
    bg: 'Магазин не отговаря чрез своя API, дава грешки или отказва ключа.',
    bgOf: ofStore('API на магазина не отговаря, дава грешки или отказва ключа.'),
    action: store,
    quotes: true,
  },
  'store.access': {
    level: 'attention',
    what: 'connection',
    en: 'The API of a store did not do what is needed when it was tried.',
    bg: 'При проверка API на магазин не направи това, което е нужно.',
    isWrong: true,
    bgOf: ofStore('При проверка неговият API не направи това, което е нужно.'),
    action: store,
    quotes: true,
  },
  'store.unread': {
    level: 'attention',
    what: 'store APIs',
    en: 'A store has not been read by its API for long, or its reading does not get further.',
    bg: 'Магазин отдавна не е прочетен чрез неговия API или четенето му не напредва.',
    bgOf: ofStore('Отдавна не е прочетен чрез неговия API.'),
    action: store,
    quotes: true,
  },
  'store.trial': {
    level: 'attention',
    what: 'trials',
    en: 'A store has been on trial for more than three days: nothing of it is recorded.',
    bg: 'Магазин е в проба от повече от три дни: нищо от него не се записва.',
    bgOf: ofStore('В проба е от повече от три дни: нищо от него не се записва.'),
    action: store,
  },
  'orders.unread': {
    level: 'attention',
    what: 'unread orders',
    en: 'Orders of a store could not be read whole, so that they are not recorded as they are.',
    bg: 'Поръчки на магазин не можаха да бъдат прочетени изцяло и не са записани така, както са.',
    bgOf: unreadInBulgarian,
    action: store,
  },
} as const satisfies Codes;

const failed = failedBy(codes);

function unreadInBulgarian(one: FailedCheck, nameOf: NameOf): string {
  return ofStore(`${orders(one.count)} не ${form.bg(one.count ?? 0, 'може да бъде прочетена', 'могат да бъдат прочетени')} докрай.`)(one, nameOf);
}

/**
 * The APIs of stores: those that are paused or refuse us, and stores that were not read by theirs for two periods. What comes of it that they refuse the app
 * by which they came is one failed check of that app; and so is that there are more stores than are read in time.
 */
export const storeCheck: Check = {
  name: 'store APIs',
  codes: ['stores.late', 'store.paused', 'store.unread'],
  async read(round) {
    const behind = await late(round);
    return [...behind, ...(await paused(round)), ...(await unread(round, behind.length > 0))];
  },
  remarks: async () => [{ what: 'store APIs', words: 'none is paused' }],
};

/** Stores whose API did not work when somebody connected them, or `doctor` tried it, or tries it now; what lists their webhooks ends it. */
export const accessCheck: Check = {
  name: 'access to stores',
  codes: ['store.access'],
  async read({ live, tried }) {
    return (await live()).flatMap((connection) => {
      const { id, name, warnings } = connection;
      // What an app is refused is a failed check of the app.
      const words = refusedAppOf(connection) === null ? (tried?.get(id) ?? warnings[ACCESS_WARNING] ?? '') : '';
      if (words === '') return [];
      const of = { cause: 'its API did not do what is needed', names: [name] };
      return [failed('store.access', { subject: id, words: `${name}: ${words}`, verb: `reconnect ${id} --help`, of })];
    });
  },
  async remarks({ pool, live, tried }) {
    const [connections, traffic] = await Promise.all([live(), everyTraffic(pool)]);
    const lastOf = new Map(traffic.map(({ connectionId, lastAccepted }) => [connectionId, lastAccepted]));
    const right = connections.filter(({ id, warnings }) => (tried?.get(id) ?? warnings[ACCESS_WARNING] ?? '') === '');
    const untried = right.filter((one) => canBeTried(one) && tried?.has(one.id) !== true);
    const good = right.filter((one) => !untried.includes(one));
    const left = { what: 'connection', words: `${untried.length} (${fewOf(untried.map(({ id }) => id))}) not tried`, isNote: true };
    return [...shown(good, lastOf), ...(untried.length === 0 ? [] : [left])];
  },
};

function canBeTried({ platform, access }: Connection): boolean {
  return access !== null && storefrontOf(storefronts, platform).api?.checkAccess !== undefined;
}

function shown(good: readonly Connection[], lastOf: ReadonlyMap<string, string | null>): DoctorRemark[] {
  if (good.length > MOST_SHOWN)
    return [{ what: 'connection', words: `${good.length} (${fewOf(good.map(({ id }) => id))}) have keys that read orders, or none` }];
  return good.map((connection) => {
    const { id, name } = connection;
    const key = canBeTried(connection) ? 'its key reads orders of the store' : 'it has no key of the store’s API';
    const last = lastOf.get(id) ?? null;
    return { what: 'connection', words: `${id} (${name}): ${key}; ${last === null ? 'no webhook has come yet' : `the last webhook came at ${last}`}` };
  });
}

/** So many stores are shown one by one where nothing is wrong with them. */
const MOST_SHOWN = 20;

const LEAST_LATE_SECONDS = 60;

/** Stores that are due and wait for their turn, for a fifth of a period at least. */
async function late({ pool, now, config: { reconcileSeconds: period } }: Round): Promise<FailedCheck[]> {
  const { count, seconds, isRead } = await storesThatWait(pool, period * 1000);
  if (seconds < Math.max(LEAST_LATE_SECONDS, period / 5)) return [];
  const longer = Math.ceil((period + seconds) / 60) * 60;
  const todo = isRead ? `start another worker, or set RECONCILE_SECONDS (${period}) to ${longer} or more` : 'no process reads stores: is a worker running?';
  const who = counted.en(count, 'store waits', 'stores wait');
  const words = `${who} to be read by ${form.en(count, 'its API', 'their APIs')}, the first for ${Math.round(seconds / 60)} min: ${todo}`;
  return [failed('stores.late', { count, since: new Date(now - seconds * 1000).toISOString(), words, verb: 'connections' })];
}

async function paused({ pool, live }: Round): Promise<FailedCheck[]> {
  const [connections, pauses] = await Promise.all([live(), storePauses(pool)]);
  return connections.flatMap((connection) => {
    const { id, name } = connection;
    const isOfApp = refusedAppOf(connection) !== null;
    // A pause of this connection alone is of a refusal.
    const pause = pausesOfStore(connection, pauses).find(({ connectionId }) => !isOfApp || connectionId === null);
    if (pause !== undefined) {
      const of = { cause: causeOf(pause.code), names: [name] };
      return [failed('store.paused', { subject: id, since: pause.since, words: `${name}: ${storePauseWords(pause)}`, verb: 'connections', of })];
    }
    const refusal = isOfApp ? null : apiRefusal(connection);
    if (refusal === null) return [];
    return [failed('store.paused', { subject: id, words: `${name}: ${refusal}`, verb: `reconnect ${id} --help`, of: { cause: REFUSED, names: [name] } })];
  });
}

const REFUSED = 'its API refuses the key';

function causeOf(error: string): string {
  return error.startsWith('storefront.refused') ? REFUSED : 'its API hangs or fails';
}

/** `isLate`: that stores wait for their turn is reported already. */
async function unread({ pool, live, now, config: { reconcileSeconds } }: Round, isLate: boolean): Promise<FailedCheck[]> {
  const [connections, reads] = await Promise.all([live(), storeReadStates(pool)]);
  return connections.flatMap((connection) => {
    const { id, name } = connection;
    const state = reads.get(id);
    const found = unreadStore(connection, state, { now, periodMs: reconcileSeconds * 1000 });
    if (found === null || (refusedAppOf(connection) !== null && wasRefused(state))) return [];
    const cause = whyUnread(state);
    if (cause === ITS_TURN && isLate && state?.isDue === true) return [];
    return [failed('store.unread', { subject: id, since: found.since, words: `${name}: ${found.words}`, verb: 'connections', of: { cause, names: [name] } })];
  });
}

const ITS_TURN = 'it is not read, as its turn did not come';

function whyUnread(state: StoreReadState | undefined): string {
  if (state?.warning != null) return 'it is read slowly';
  const error = state?.last?.error ?? null;
  return error === null ? ITS_TURN : `it is not read, as ${causeOf(error)}`;
}

function wasRefused(state: StoreReadState | undefined): boolean {
  return state?.last?.error?.startsWith('storefront.refused') === true;
}

const LONG_TRIAL_MS = 3 * 24 * 60 * 60 * 1000;

/** Stores whose trial nobody ended, though their orders are paid. */
export const trialCheck: Check = {
  name: 'trials',
  codes: ['store.trial'],
  async read({ live, now }) {
    return (await live()).flatMap(({ id, name, trialSince }) => {
      if (trialSince === null || now - Date.parse(trialSince) < LONG_TRIAL_MS) return [];
      const words = `${name}: on trial since ${trialSince}: nothing of it is recorded`;
      const of = { cause: 'on trial for more than three days', names: [name] };
      return [failed('store.trial', { subject: id, since: trialSince, words, verb: `start-recording ${id} --from now --dry-run`, of })];
    });
  },
};

/** Orders that a store lists and does not show whole. */
export const unreadOrderCheck: Check = {
  name: 'unread orders',
  codes: ['orders.unread'],
  async read({ pool, live }) {
    const [connections, unread] = await Promise.all([live(), unreadOrders(pool)]);
    const names = new Map(connections.map(({ id, name }) => [id, name]));
    return unread.map((of) => {
      const { connectionId, count, since } = of;
      const name = names.get(connectionId) ?? connectionId;
      const words = `${name}: ${unreadWarnings(of).join('; ')}`;
      const same = { cause: 'orders of it could not be read whole', names: [name] };
      return failed('orders.unread', { subject: connectionId, count, since, words, verb: 'connections', of: same });
    });
  },
};

/** The app that a store refuses, whatever its merchant granted; null: none is, or the store came by none. */
export function refusedAppOf({ app, warnings }: Pick<Connection, 'app' | 'warnings'>): string | null {
  return app !== null && APP_WARNING in warnings ? app : null;
}

/** Apps whose id and secret stores refuse: one failed check for each app, however many stores came by it. An app whose secrets do not open is a failed check already. */
export const appCheck: Check = {
  name: 'apps',
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
      return [failed('app.refused', { subject: id, count, words, verb: `${platform}-app rotate-secret ${id}` })];
    });
  },
};

/** Secrets of live connections and of apps that do not open, or may not be used. Without any secret a store's webhooks are refused. */
export const secretCheck: Check = {
  name: 'secrets',
  codes: ['secrets.closed', 'app.closed'],
  async read(round) {
    return [...(await ofConnections(round)), ...(await ofApps(round))];
  },
  async remarks({ live, config: { trustedHttpHosts, appSecrets } }) {
    const weak = (await live()).flatMap((one) => notes('secrets', one, secretWarnings(one, trustedHttpHosts).weak));
    const short = Object.entries(appSecrets).filter(([, secret]) => isWeakSecret(secret.reveal()));
    const all = [
      ...weak,
      ...short.map(([name]) => ({ what: 'secrets', words: `${name} has fewer than 8 characters, so that it could be guessed`, isNote: true })),
    ];
    return all.length > 0 ? all : [{ what: 'secrets', words: 'those of every connection open, and are long enough' }];
  },
};

async function ofConnections({ live, config }: Round): Promise<FailedCheck[]> {
  return (await live()).flatMap((connection) => {
    const { wrong } = secretWarnings(connection, config.trustedHttpHosts);
    if (wrong.length === 0) return [];
    const { id, name, secrets, unopened = [] } = connection;
    const level = secrets.length === 0 ? 'failing' : 'attention';
    const cause = unopened.length > 0 ? 'its secrets can’t be opened' : 'its API is not called over http://';
    return [failed('secrets.closed', { level, subject: id, words: `${name}: ${wrong.join('; ')}`, verb: 'connections', of: { cause, names: [name] } })];
  });
}

async function ofApps({ apps }: Round): Promise<FailedCheck[]> {
  return (await apps.list()).flatMap(({ id, platform, unopened, connections }) => {
    if (unopened === null) return [];
    const level = connections > 0 ? 'failing' : 'attention';
    return [failed('app.closed', { level, subject: id, words: `app ${id}: ${unopened}`, verb: `${platform}-app rotate-secret ${id}` })];
  });
}
