import { fullStop } from '../../contract/local-text.ts';
import { messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';

/** What needs somebody now. */
export const today = messages({
  title: { en: 'Today', bg: 'Днес' },
  changed: { en: 'What changed since yesterday', bg: 'Какво се е променило от вчера' },
  live: { en: 'Watch events as they happen', bg: 'Покажи събитията на живо' },
  sinceHere: {
    here: { en: (at: string): string => `Since you were here (${at}):`, bg: (at: string) => `Откакто бяхте тук (${at}):` },
    days: {
      en: (days: number, at: string): string => `In the last ${days} days (you were here on ${at}):`,
      bg: (days: number, at: string) => `През последните ${days} дни (последно бяхте тук на ${at}):`,
    },
    recorded: {
      en: (n: number, count: string): string => `${count} ${form.en(n, 'order', 'orders')} recorded`,
      bg: (n: number, count: string) => `${count} ${form.bg(n, 'записана поръчка', 'записани поръчки')}`,
    },
    asked: {
      en: (_: number, count: string): string => `${count} newly in review`,
      bg: (n: number, count: string) => `${count} ${form.bg(n, 'нова', 'нови')} за проверка`,
    },
    decided: {
      en: (n: number, name: string): string => `${counted.en(n, 'decision', 'decisions')} by ${name}`,
      bg: (n: number, name: string) => `${counted.bg(n, 'решение', 'решения')} на ${name}`,
    },
    raised: {
      en: (n: number): string => `${counted.en(n, 'alert', 'alerts')} raised`,
      bg: (n: number) => counted.bg(n, 'ново предупреждение', 'нови предупреждения'),
    },
    resolved: {
      en: (n: number): string => `${counted.en(n, 'alert', 'alerts')} resolved`,
      bg: (n: number) => counted.bg(n, 'отпаднало предупреждение', 'отпаднали предупреждения'),
    },
    lastDay: { en: 'in the last 24 hours', bg: 'за последните 24 часа' },
  },
  calm: {
    en: (recorded: number, last: string): string => `Nothing needs you. ${counted.en(recorded, 'order', 'orders')} recorded today; last webhook ${last}.`,
    bg: (recorded: number, last: string) =>
      fullStop(
        `Нищо не ви чака. Днес ${form.bg(recorded, 'е записана 1 поръчка', `са записани ${recorded} поръчки`)}; последното известие от магазин дойде ${last}`,
      ),
  },
  noStore: {
    en: 'No store is connected yet. An owner invites its merchant, who connects it by clicking.',
    bg: 'Още няма свързан магазин. Собственикът кани търговеца, а той го свързва с няколко натискания.',
  },
  since: { en: 'since', bg: 'от' },
  cards: {
    person: {
      title: { en: 'Needs review', bg: 'За проверка' },
      none: { en: 'nobody', bg: 'няма' },
    },
    waiting: {
      title: { en: 'On their way to the service', bg: 'На път към услугата' },
      none: { en: 'none', bg: 'няма' },
      oldest: { en: (ago: string): string => `the oldest ${ago}`, bg: (ago: string) => `най-старата ${ago}` },
    },
    recorded: {
      title: { en: 'Recorded today', bg: 'Записани днес' },
      asThen: { en: (sum: string): string => `${sum}, as recorded then`, bg: (sum: string) => `${sum}, както са записани тогава` },
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
  inReview: {
    en: (count: number, issue: string): string => fullStop(`${orderCount.en(count)} in review: ${issue}`),
    bg: (count: number, issue: string) => fullStop(`${orderCount.bg(count)} за проверка: ${issue}`),
  },
  inFull: { en: 'in full', bg: 'подробно' },
  verbs: {
    review: { en: 'Review', bg: 'Прегледай' },
    unconfirmed: { en: 'Check and confirm', bg: 'Провери и потвърди' },
    month: { en: 'To the month', bg: 'Към месеца' },
    store: { en: 'To the store', bg: 'Към магазина' },
    destination: { en: 'To the service', bg: 'Към услугата' },
    endpoint: { en: 'To the events', bg: 'Към събитията' },
    command: { en: 'Type', bg: 'Напишете' },
  },
});
