import { messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';
import { type CheckCode, checkCodes } from '../../operations/health/check-codes.ts';
import type { FailedCheck } from '../../operations/health/health-status.ts';
import { codeWords } from '../../operations/words.ts';
import { fullStop } from './full-stop.ts';

/** What needs somebody now. */
export const today = messages({
  title: { en: 'Today', bg: 'Днес' },
  calm: {
    en: (recorded: number, last: string): string => `Nothing needs you. ${counted.en(recorded, 'order', 'orders')} recorded today; last webhook ${last}.`,
    bg: (recorded: number, last: string) =>
      fullStop(
        `Нищо не ви чака. Днес ${form.bg(recorded, 'е записана 1 поръчка', `са записани ${recorded} поръчки`)}; последното известие от магазин дойде ${last}`,
      ),
  },
  noStore: {
    en: 'No store is connected yet. Type one of these where orderbridge runs:',
    bg: 'Още няма свързан магазин. Напишете едно от тези там, където работи orderbridge:',
  },
  ways: {
    en: [
      { command: 'orderbridge connect --help', words: 'connect a store' },
      { command: 'orderbridge demo', words: 'play the demo' },
    ],
    bg: [
      { command: 'orderbridge connect --help', words: 'свързване на магазин' },
      { command: 'orderbridge demo', words: 'демонстрация' },
    ],
  },
  since: { en: 'since', bg: 'от' },
  cards: {
    person: {
      title: { en: 'Need a person', bg: 'Чакат човек' },
      none: { en: 'nobody', bg: 'няма' },
    },
    waiting: {
      title: { en: 'On their way to the service', bg: 'На път към услугата' },
      none: { en: 'none', bg: 'няма' },
      oldest: { en: (ago: string): string => `the oldest ${ago}`, bg: (ago: string) => `най-старата ${ago}` },
    },
    recorded: {
      title: { en: 'Recorded today', bg: 'Записани днес' },
    },
    webhook: {
      title: { en: 'Last webhook', bg: 'Последно известие' },
      none: { en: 'none came yet', bg: 'още няма' },
    },
  },
  levels: {
    failing: { en: 'failing', bg: 'спешно' },
    attention: { en: 'attention', bg: 'внимание' },
  },
  inFull: { en: 'in full', bg: 'подробно' },
  verbs: {
    review: { en: 'Decide', bg: 'Решете' },
    unconfirmed: { en: 'Look and say', bg: 'Проверете и кажете' },
    month: { en: 'To the month', bg: 'Към месеца' },
    store: { en: 'To the store', bg: 'Към магазина' },
    destination: { en: 'To the service', bg: 'Към услугата' },
    command: { en: 'Type', bg: 'Напишете' },
  },
});

type NameOf = (connectionId: string) => string;
type Words = (failedCheck: FailedCheck, nameOf: NameOf) => string;

const orders = (count: number | null): string => orderCount.bg(count ?? 0);
const webhooks = (count: number | null): string => counted.bg(count ?? 0, 'известие', 'известия');

/** “Corner: известията му се отказват…” of “…, the store of this connection”. */
function ofStore(words: string): Words {
  return ({ subject }, nameOf) => (subject === null ? words : `${nameOf(subject)}: ${words.charAt(0).toLowerCase()}${words.slice(1)}`);
}

const waiting: Words = ({ code, count }) => {
  const means = checkCodes[code].bg;
  return count === null || count === 0 ? means : `${means.replace(/\.$/, '')} (${form.bg(count ?? 0, 'чака', 'чакат')} ${orders(count)}).`;
};

const ofMonth =
  (words: string): Words =>
  ({ subject, count }) =>
    `${subject ?? ''}: ${words}${count === null ? '' : ` (${counted.bg(count, 'магазин', 'магазина')})`}.`;

const late: Readonly<Record<string, Words>> = {
  inbox: ({ count }) => `${webhooks(count)} ${form.bg(count ?? 0, 'чака', 'чакат')} в базата данни: опашката не отговаря или не работи работен процес.`,
  deliveries: () => 'Известия чакат на опашката: не работи работен процес.',
};

/** What names or counts something; all else is said by what its code means. */
const words: Readonly<Partial<Record<CheckCode, Words>>> = {
  'queue.paused': ({ subject }) => `Някой е спрял опашката ${subject ?? ''}: нищо не се взема от нея.`,
  'destination.paused': waiting,
  'shop.paused': waiting,
  'shop.unknown': ofStore('Услугата за отчитане не познава обекта му и поръчките му не могат да бъдат записани.'),
  'key.unknown': ofStore('Ключът му за услугата за отчитане е отнет, непознат или не може да бъде прочетен.'),
  'secrets.closed': ofStore('Тайните му не могат да бъдат прочетени или използвани.'),
  'app.closed': ({ subject }) => `Тайната на приложение ${subject ?? ''} не може да бъде прочетена и подписаните с нея известия се отказват.`,
  'app.refused': ({ subject, count }) =>
    `Платформата не приема идентификатора и тайната на приложение ${subject ?? ''} (${form.bg(count ?? 0, '1 магазин', `${count ?? 0} магазина`)}).`,
  'month.late': ofMonth('не е отбелязан като подаден до края на срока'),
  'month.due': ofMonth('срокът изтича скоро, а файлът не е отбелязан като подаден'),
  'month.blocked': ofMonth('файлът не може да бъде изготвен'),
  'month.unmailed': ofMonth('писмата за файла не стигнаха до адрес на магазина'),
  'orders.need-review': ({ subject, count }) => `${orders(count)} ${form.bg(count ?? 0, 'чака', 'чакат')} човек: ${codeWords(subject ?? '', 'bg').means}`,
  'orders.unconfirmed': ({ count }) =>
    `За ${orders(count)} не се знае ${form.bg(count ?? 0, 'записана ли е', 'записани ли са')}: отговорът на заявка се изгуби.`,
  'orders.outstanding': ({ count }) =>
    `${form.bg(count ?? 0, '1 платена поръчка не е записана', `${count ?? 0} платени поръчки не са записани`)} и файловете за месеците им не са пълни.`,
  'orders.unread': (failedCheck, nameOf) =>
    ofStore(`${orders(failedCheck.count)} не ${form.bg(failedCheck.count ?? 0, 'може да бъде прочетена', 'могат да бъдат прочетени')} докрай.`)(
      failedCheck,
      nameOf,
    ),
  'webhooks.need-review': ({ subject, count }) => `${webhooks(count)} ${form.bg(count ?? 0, 'чака', 'чакат')} човек: ${codeWords(subject ?? '', 'bg').means}`,
  'hosts.quarantined': ({ subject, count }, nameOf) => {
    const [connection = '', host = ''] = (subject ?? '').split(' ');
    return `${nameOf(connection)}: ${webhooks(count)} ${form.bg(count ?? 0, 'назовава', 'назовават')} ${host} и ${form.bg(count ?? 0, 'е задържано', 'са задържани')}, докато човек каже чий е този адрес.`;
  },
  'backlog.old': (failedCheck, nameOf) =>
    late[failedCheck.subject ?? '']?.(failedCheck, nameOf) ??
    `${orders(failedCheck.count)} ${form.bg(failedCheck.count ?? 0, 'чака', 'чакат')} по-дълго, отколкото трябва: не работи работен процес.`,
  'store.paused': ofStore('API на магазина не отговаря, дава грешки или отказва ключа.'),
  'store.unread': ofStore('Отдавна не е прочетен чрез неговия API.'),
  'store.trial': ofStore('В проба е от повече от три дни: нищо от него не се записва.'),
  'webhooks.broken': ofStore('Нещо не е наред с известията в магазина.'),
  'webhooks.refused': (failedCheck, nameOf) => ofStore(`Известията му се отказват едно след друго (${failedCheck.count ?? 0}).`)(failedCheck, nameOf),
  'webhooks.silent': ofStore('Изпращаше известия, а сега не изпраща.'),
  'privacy.not-forgotten': ({ count }) =>
    `${form.bg(count ?? 0, 'Купувачът по 1 поръчка е заличен', `Купувачите по ${count ?? 0} поръчки са заличени`)} тук, а услугата за отчитане още ги пази.`,
  'deliveries.not-reported': ({ count }) =>
    `На услугата за отчитане не е съобщено кога ${form.bg(count ?? 0, 'е доставена 1 поръчка', `са доставени ${count ?? 0} поръчки`)}.`,
  'mails.failed': ({ count }) => `${form.bg(count ?? 0, '1 писмо не стигна', `${count ?? 0} писма не стигнаха`)} до никого.`,
  'rates.missing': ({ count }) =>
    `${form.bg(count ?? 0, '1 записана поръчка няма', `${count ?? 0} записани поръчки нямат`)} валутен курс и файловете за месеците им са спрени.`,
  'orders.ended-currency': ({ subject, count }) => {
    const [month = '', currency = ''] = (subject ?? '').split(' ');
    return `${month}: ${orders(count)} ${form.bg(count ?? 0, 'е', 'са')} в ${currency}, валута извън обращение: проверете дали цените не са в друга валута.`;
  },
  'numbers.skipped': ({ subject, count }) => `Фирмата ${subject ?? ''} пропусна номера на документи (${count ?? 0}) през последните седем дни.`,
  'alerts.broken': ({ subject }) => `Предупрежденията не пристигат: ${subject ?? ''}.`,
};

/** A failed check of the health status in one sentence, with the names of stores, without what was answered: that stays in the words of whoever answered. */
export function checkInBulgarian(failedCheck: FailedCheck, nameOf: NameOf): string {
  return words[failedCheck.code]?.(failedCheck, nameOf) ?? checkCodes[failedCheck.code].bg;
}
