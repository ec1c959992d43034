import { type Connection, SHOP_WARNING } from '../../../bridge/connections/connection.ts';
import { concerns, type Pause } from '../../../bridge/delivery/pauses.ts';
import type { Destination } from '../../../bridge/ledger/connections/destination-store.ts';
import { MOST_PENDING, type PendingOf } from '../../../bridge/ledger/orders/pending-orders.ts';
import { type UndoneOutboxJobs, undoneOutboxJobs } from '../../../bridge/ledger/outbox-job-store.ts';
import { counted, form } from '../../../contract/plural.ts';
import { endingKeys, unknownShops } from '../../../service/keys/api-keys.ts';
import { pauseReason, pauseRemedy } from '../../connections/pauses.ts';
import { type Check, type Codes, destination, failedBy, MOST_NAMES, ofStore, store, withOrders } from '../check.ts';
import type { FailedCheck } from '../health-status.ts';
import type { Round } from '../round.ts';

export const codes = {
  'destination.paused': {
    level: 'failing',
    what: 'compliance service',
    en: 'The compliance service is down, throttles, or does not take the key: its orders wait.',
    ...withOrders('Услугата за отчитане не работи, ограничава заявките или не приема ключа: поръчките чакат.'),
    action: destination,
    quotes: true,
  },
  'shop.paused': {
    level: 'failing',
    what: 'compliance shop',
    en: 'The compliance service does not know a shop, or refuses it: its orders wait.',
    ...withOrders('Услугата за отчитане не познава обект или го отказва: поръчките му чакат.'),
    action: destination,
    quotes: true,
  },
  'receipts.paused': {
    level: 'attention',
    what: 'receipts',
    en: 'The compliance service gives no receipts now; records are not affected.',
    bg: 'Услугата за отчитане сега не дава документи за продажба; записите не са засегнати.',
    action: destination,
    quotes: true,
  },
  'shop.unknown': {
    level: 'failing',
    what: 'compliance shop',
    en: 'The compliance service does not know the shop of a connected store.',
    bg: 'Услугата за отчитане не познава обекта на свързан магазин.',
    isWrong: true,
    bgOf: ofStore('Услугата за отчитане не познава обекта му и поръчките му не могат да бъдат записани.'),
    action: store,
    quotes: true,
  },
  'key.unknown': {
    level: 'failing',
    what: 'compliance key',
    en: 'The key of a connected store is revoked, unknown, or can’t be read.',
    bg: 'Ключът на свързан магазин е отнет, непознат или не може да бъде прочетен.',
    bgOf: ofStore('Ключът му за услугата за отчитане е отнет, непознат или не може да бъде прочетен.'),
    action: store,
  },
  'key.ending': {
    level: 'attention',
    what: 'compliance key',
    en: 'The key of a connected store was rotated only by half: the store’s records still go with it, and it ends within a day.',
    bg: 'Ключът на свързан магазин е сменен само наполовина: записите още се правят с него, а до ден той спира да важи.',
    isWrong: true,
  },
  'privacy.not-forgotten': {
    level: 'attention',
    what: 'erased buyers',
    en: 'Buyers were erased here by a privacy request, and the compliance service still has them.',
    bg: 'Купувачи са заличени тук по искане за поверителност, а услугата за отчитане още ги пази.',
    bgOf: ({ count }) =>
      `${form.bg(count ?? 0, 'Купувачът по 1 поръчка е заличен', `Купувачите по ${count ?? 0} поръчки са заличени`)} тук, а услугата за отчитане още ги пази.`,
    quotes: true,
  },
  'deliveries.not-reported': {
    level: 'attention',
    what: 'deliveries',
    en: 'The delivery of orders was not reported to the compliance service, so that the file of another month may list them.',
    bg: 'На услугата за отчитане не е съобщено кога са доставени поръчки и може да попаднат във файла на друг месец.',
    bgOf: ({ count }) => `На услугата за отчитане не е съобщено кога ${form.bg(count ?? 0, 'е доставена 1 поръчка', `са доставени ${count ?? 0} поръчки`)}.`,
    quotes: true,
  },
} as const satisfies Codes;

const failed = failedBy(codes);

/** Compliance services, and single shops of them, that are not called for a while. */
export const pauseCheck: Check = {
  name: 'compliance services',
  codes: ['destination.paused', 'shop.paused', 'receipts.paused'],
  async read(round) {
    const [pauses, all, pending] = await Promise.all([round.pauses(), round.all(), round.pending()]);
    return pauses.map((pause) => ofPause(pause, { all, pending }));
  },
};

function ofPause(pause: Pause, { all, pending }: { all: readonly Connection[]; pending: Awaited<ReturnType<Round['pending']>> }): FailedCheck {
  const { destinationId, shopId, callType, since, until, detail } = pause;
  const concerned = all.filter((connection) => concerns(pause, connection));
  const live = concerned.filter(({ closedAt }) => closedAt === null);
  const { orders: count, isMore } = waitingFor(pause, concerned, pending);
  const names = (live.length > 0 ? live : concerned).map(({ name }) => name);
  const orders = count === 0 ? '' : `; ${isMore ? 'more than ' : ''}${counted.en(count, 'order waits', 'orders wait')}`;
  const what = callType === 'records' ? pauseReason(pause) : `it gives no receipts (${pauseReason(pause)}), records go on`;
  const remedy = pauseRemedy(pause, live[0]?.id ?? null);
  const words = `${fewOf(names)}: ${what} since ${since} (${detail})${orders}; it is retried at ${until}`;
  const isLive = callType === 'records' && live.length > 0;
  const subject = shopId ?? destinationId;
  const of = { cause: what, names };
  return failed(codeOf(pause), { level: isLive ? 'failing' : 'attention', subject, count, since, words, verb: remedy?.command ?? 'doctor', of });
}

/** How many orders of these connections wait for a pause; `isMore`: or more, which are not counted. */
export function waitingFor(
  { callType }: Pause,
  concerned: readonly Connection[],
  pending: ReadonlyMap<string, PendingOf>,
): { orders: number; isMore: boolean } {
  const waiting = concerned.flatMap(({ id }) => pending.get(id) ?? []);
  const orders = waiting.reduce((sum, of) => sum + (callType === 'records' ? of.records : of.receipts), 0);
  return { orders, isMore: waiting.some(({ records, receipts }) => records + receipts >= MOST_PENDING) };
}

function codeOf({ callType, shopId }: Pause): keyof typeof codes {
  if (callType === 'receipts') return 'receipts.paused';
  return shopId === null ? 'destination.paused' : 'shop.paused';
}

/** “Corner, Sova, Book and 2 more”. */
export function fewOf(names: readonly string[]): string {
  if (names.length === 0) return 'no store';
  const shown = names.slice(0, MOST_NAMES).join(', ');
  const left = names.length - MOST_NAMES;
  return left > 0 ? `${shown} and ${left} more` : shown;
}

/** Shops and keys of live connections: our own service is read; another one said it when the store was connected, and says it by a pause. */
export const shopCheck: Check = {
  name: 'compliance shops',
  codes: ['shop.unknown', 'key.unknown', 'key.ending'],
  async read(round) {
    const live = await round.live();
    const ids = [...new Set(live.map(({ destinationId }) => destinationId))];
    const destinations: Destinations = new Map((await round.destinations.opened(ids)).map((one) => [one.id, one]));
    const unread = live.filter(({ destinationId }) => !destinations.has(destinationId));
    const closed = unread.map(({ id, name }) => {
      const cause = 'its compliance key can’t be read with these ENCRYPTION_KEYS';
      return failed('key.unknown', { subject: id, words: `${name}: ${cause}`, verb: 'doctor', of: { cause, names: [name] } });
    });
    const [ours, others] = [live.filter((one) => isOurs(destinations, one)), live.filter((one) => !isOurs(destinations, one))];
    return [...closed, ...(await unknownHere(round, ours, destinations)), ...(await endingHere(round, destinations)), ...others.flatMap(warned)];
  },
};

/** Without one that is gone, or whose credentials do not open. */
type Destinations = ReadonlyMap<string, Destination>;

function isOurs(destinations: Destinations, { destinationId }: Connection): boolean {
  return destinations.get(destinationId)?.baseUrl === null;
}

async function unknownHere({ pool, hasService }: Round, live: readonly Connection[], destinations: Destinations): Promise<FailedCheck[]> {
  if (live.length === 0 || !(await hasService())) return [];
  const callers = live.map(({ destinationId, shopId }) => ({ apiKey: destinations.get(destinationId)?.credentials.apiKey ?? '', shopId }));
  const unknown = await unknownShops(pool, callers);
  return live.flatMap(({ id, name, shopId }, place) => {
    const what = unknown[place] ?? null;
    if (what === null) return [];
    if (what === 'key') {
      const words = `${name}: its compliance key is unknown or revoked, so its orders can’t be recorded; \`orderbridge service keys create\` makes one`;
      const of = { cause: 'its compliance key is unknown or revoked', names: [name] };
      return [failed('key.unknown', { subject: id, words, verb: `reconnect ${id} --help`, of })];
    }
    const words = `${name}: the compliance service has no shop ${shopId} for this key, so its orders can’t be recorded; \`orderbridge shop create\` makes one, and \`orderbridge connect\` takes its id`;
    return [failed('shop.unknown', { subject: id, words, verb: 'service shops list', of: { cause: NO_SHOP, names: [name] } })];
  });
}

const NO_SHOP = 'the compliance service does not know its shop';

/** It was so when the store was connected: whether orders are refused, a pause says. */
function warned({ id, name, warnings }: Connection): FailedCheck[] {
  const words = warnings[SHOP_WARNING];
  if (words === undefined) return [];
  return [failed('shop.unknown', { level: 'attention', subject: id, words: `${name}: ${words}`, verb: 'doctor', of: { cause: NO_SHOP, names: [name] } })];
}

/** A rotation hands the new key over by itself; if it crashed before, nobody has the new secret, and the old key ends. */
async function endingHere({ pool, hasService }: Round, destinations: Destinations): Promise<FailedCheck[]> {
  if (!(await hasService())) return [];
  const keys = [...destinations.values()].map(({ credentials }) => credentials.apiKey);
  return (await endingKeys(pool, keys)).map(({ id, endsAt, rotatedAt, replacedBy }) => {
    const unused = replacedBy === null ? '' : `, and then \`orderbridge service keys revoke ${replacedBy}\`, whose secret nobody has`;
    const words = `the rotation of key ${id} did not finish: records still go with it, and it ends at ${endsAt}; type \`orderbridge service keys rotate ${id}\` again${unused}`;
    return failed('key.ending', { subject: id, since: rotatedAt, words, verb: `service keys rotate ${id}` });
  });
}

/** Buyers that were erased here and that a compliance service still has, and deliveries that it was not told of. */
export const outboxJobCheck: Check = {
  name: 'erased buyers and deliveries',
  codes: ['privacy.not-forgotten', 'deliveries.not-reported'],
  read: async ({ pool }) => (await undoneOutboxJobs(pool)).map((undone) => (undone.kind === 'forget-buyer' ? notForgotten(undone) : outboxFailure(undone))),
};

function notForgotten({ problem, destinationId: subject, count, since, records, detail }: UndoneOutboxJobs): FailedCheck {
  const whose = `the ${form.en(count, 'buyer of 1 order was', `buyers of ${count} orders were`)} erased here, and the compliance service`;
  const which = `${records.join(', ')}${count > records.length ? ' and others' : ''}`;
  const why =
    problem === 'failed'
      ? retriedWords(detail)
      : `can’t be told by a program (COMPLIANCE_FORGETS_BUYERS): ask its operator to forget the buyers of its orders ${which}`;
  return failed('privacy.not-forgotten', { subject, count, since, words: `${whose} ${why}` });
}

function outboxFailure({ problem, destinationId: subject, count, since, detail }: UndoneOutboxJobs): FailedCheck {
  const which = `${counted.en(count, 'order was', 'orders were')} delivered, and the compliance service`;
  const why = problem === 'failed' ? retriedWords(detail) : 'takes no deliveries (COMPLIANCE_DELIVERED): set `monthBy` to `order`';
  return failed('deliveries.not-reported', { subject, count, since, words: `${which} ${why}` });
}

function retriedWords(detail: string | null): string {
  return `could not be told since (${detail ?? 'no answer'}); it is retried by itself`;
}
