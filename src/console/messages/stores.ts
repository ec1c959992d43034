import { messages } from '../../contract/messages.ts';
import { counted, orderCount } from '../../contract/plural.ts';

/** The connected stores. */
export const stores = messages({
  title: { en: 'Stores', bg: 'Магазини' },
  none: {
    en: 'No store is connected yet. You’ll see here each store’s webhooks of seven days, its key and what waits.',
    bg: 'Още няма свързан магазин. Тук ще виждате известията за седем дни, ключа и чакащите поръчки на всеки магазин.',
  },
  connect: {
    en: 'Invite its merchant, who connects it by clicking.',
    bg: 'Поканете търговеца му, който го свързва с няколко натискания.',
  },
  invite: { en: 'Invite a merchant', bg: 'Покани търговец' },
  caption: { en: 'Stores and their health', bg: 'Магазините и състоянието им' },
  store: { en: 'Store', bg: 'Магазин' },
  state: { en: 'State', bg: 'Състояние' },
  states: {
    well: { en: 'all is well', bg: 'всичко е наред' },
    review: { en: 'orders in review', bg: 'поръчки за проверка' },
    stuck: { en: 'orders wait', bg: 'поръчки чакат' },
    disconnected: { en: 'disconnected', bg: 'изключен' },
  },
  lastWebhook: { en: 'Last webhook', bg: 'Последно известие' },
  refused: {
    en: (n: number, ago: string): string => `${n} refused since, the last ${ago}`,
    bg: (n: number, ago: string) => `оттогава отказани: ${n}, последното ${ago}`,
  },
  lastRefused: { en: (ago: string): string => `last refused ${ago}`, bg: (ago: string) => `последно отказано ${ago}` },
  webhooks: { en: 'Subscriptions', bg: 'Известия в магазина' },
  listed: { en: (ago: string): string => `all work, checked ${ago}`, bg: (ago: string) => `всички работят, проверени ${ago}` },
  broken: { en: (topics: string): string => `not working: ${topics}`, bg: (topics: string) => `не работят: ${topics}` },
  notListed: { en: 'not checked yet', bg: 'не са проверявани' },
  unlisted: { en: 'can’t be checked', bg: 'не могат да се проверят' },
  key: { en: 'API key', bg: 'Ключ за API' },
  keys: {
    given: { en: 'saved, not tested', bg: 'записан, непроверен' },
    works: { en: 'works', bg: 'работи' },
    none: { en: 'none', bg: 'няма' },
    fails: { en: 'does not work', bg: 'не работи' },
    never: { en: 'not needed', bg: 'не е нужен' },
  },
  sums: {
    en: (recorded: number, asked: number): string => `${counted.en(recorded, 'order', 'orders')} recorded, ${asked} sent to review`,
    bg: (recorded: number, asked: number) => `${counted.bg(recorded, 'записана поръчка', 'записани поръчки')}, ${asked} за проверка`,
  },
  recorded: { en: 'Recorded', bg: 'Записани' },
  review: { en: 'Sent to review', bg: 'Отишли за проверка' },
  day: { en: 'Recorded 24 h', bg: 'Записани за 24 ч.' },
  asked: { en: 'Sent to review, 24 h', bg: 'За проверка (24 ч.)' },
  waiting: { en: 'In review', bg: 'За проверка' },
  gaps: { en: (values: string): string => `without a mapping: ${values}`, bg: (values: string) => `без съответствие: ${values}` },
  warnings: { en: (n: number): string => counted.en(n, 'warning', 'warnings'), bg: (n: number) => counted.bg(n, 'предупреждение', 'предупреждения') },
  isMore: {
    en: (n: number): string => `There are more than ${n} of some; not all are counted.`,
    bg: (n: number) => `Някои са повече от ${n}; не всички са преброени.`,
  },
  orders: { en: orderCount.en, bg: (n: number) => counted.bg(n, 'поръчка', 'поръчки') },
});
