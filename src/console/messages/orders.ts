import { type LocalizedText, messages } from '../../contract/messages.ts';
import { countText, form, orderCount } from '../../contract/plural.ts';
import { stateName } from '../../operations/words.ts';

/** The list of orders. */
export const orders = messages({
  title: { en: 'Orders', bg: 'Поръчки' },
  states: {
    waiting: { en: 'waiting', bg: stateName('waiting', 'bg') },
    queued: { en: 'in progress', bg: stateName('queued', 'bg') },
    recorded: { en: 'recorded', bg: stateName('recorded', 'bg') },
    removed: { en: 'removed', bg: stateName('removed', 'bg') },
    review: { en: 'needs review', bg: stateName('review', 'bg') },
    resolved: { en: 'resolved', bg: stateName('resolved', 'bg') },
    unconfirmed: { en: 'unconfirmed', bg: stateName('unconfirmed', 'bg') },
    ignored: { en: 'ignored', bg: stateName('ignored', 'bg') },
  },
  all: { en: 'all', bg: 'всички' },
  asked: { en: 'needs review, or unconfirmed', bg: 'за проверка или непотвърдена' },
  allOrders: { en: 'All orders', bg: 'Всички поръчки' },
  ofQuery: { en: (q: string): string => `Orders found by “${q}”.`, bg: (q: string) => `Поръчки, намерени по „${q}“.` },
  missing: {
    of: { en: (month: string): string => `Paid, and not in the file of ${month}.`, bg: (month: string) => `Платени, а ги няма във файла за ${month}.` },
  },
  since: {
    recorded: { en: (at: string): string => `Recorded since ${at}.`, bg: (at: string) => `Записани след ${at}.` },
    asked: { en: (at: string): string => `In review since ${at} or later.`, bg: (at: string) => `За проверка от ${at} или по-късно.` },
  },
  cut: {
    en: 'Too many to search: choose a store or narrow the search.',
    bg: 'Твърде много са: изберете магазин или стеснете търсенето.',
  },
  count: {
    en: (n: number, most: number): string => (n > most ? `${countText(most, 'en')}+` : countText(n, 'en')),
    bg: (n: number, most: number) => (n > most ? `${countText(most, 'bg')}+` : countText(n, 'bg')),
  },
  columns: {
    number: { en: 'Number', bg: 'Номер' },
    store: { en: 'Store', bg: 'Магазин' },
    state: { en: 'State', bg: 'Състояние' },
    why: { en: 'Why', bg: 'Защо' },
    total: { en: 'Total', bg: 'Сума' },
    recorded: { en: 'Recorded', bg: 'Записана сума' },
    paid: { en: 'Paid', bg: 'Платена' },
    changed: { en: 'Changed', bg: 'Променена' },
  },
  hits: {
    en: (n: number, most: number): string => (n > most ? `More than ${orderCount.en(most)}` : orderCount.en(n)),
    bg: (n: number, most: number) => (n > most ? `Повече от ${orderCount.bg(most)}` : orderCount.bg(n)),
  },
  caption: { en: 'Orders, the newest first', bg: 'Поръчки, най-новите първи' },
  filters: { en: 'Filters', bg: 'Филтри' },
  store: { en: 'Store', bg: 'Магазин' },
  everyStore: { en: 'every store', bg: 'всички магазини' },
  month: { en: 'Month', bg: 'Месец' },
  from: { en: 'Paid from', bg: 'Платена от' },
  to: { en: 'to', bg: 'до' },
  code: { en: 'Waits because of', bg: 'Чака заради' },
  everyCode: { en: 'any reason', bg: 'всяка причина' },
  show: { en: 'Show', bg: 'Покажи' },
  clear: { en: 'Clear filters', bg: 'Изчисти филтрите' },
  csv: { en: 'Export CSV', bg: 'Изтегли CSV' },
  fileName: { en: 'orders', bg: 'поръчки' },
  csvColumns: {
    currency: { en: 'Currency', bg: 'Валута' },
    recordedCurrency: { en: 'Currency of the record', bg: 'Валута на записа' },
    complianceId: { en: 'Compliance id', bg: 'Идентификатор в услугата' },
    orderId: { en: 'Id in the store', bg: 'Идентификатор в магазина' },
  },
  unreadable: {
    en: (n: number): string => `${orderCount.en(n)} of this page can’t be read; the log names them.`,
    bg: (n: number) => `${orderCount.bg(n)} от тази страница не ${form.bg(n, 'може да бъде прочетена', 'могат да бъдат прочетени')}; дневникът ги назовава.`,
  },
  why: {
    paused: { en: (what: string): string => `Waits for the compliance service: ${what}`, bg: (what: string) => `Чака услугата за отчитане: ${what}` },
    pausedByStore: { en: (what: string): string => `Waits for its store: ${what}`, bg: (what: string) => `Чака магазина си: ${what}` },
    ignored: {
      trial: { en: 'its store is on trial: nothing is submitted', bg: 'магазинът е в проба: нищо не се изпраща' },
      'before-record-from': { en: 'paid before the day from which this store records', bg: 'платена преди деня, от който магазинът се отчита' },
      disconnected: { en: 'paid while the store was disconnected', bg: 'платена, докато магазинът е бил изключен' },
      test: { en: 'a test order', bg: 'пробна поръчка' },
      draft: { en: 'a draft', bg: 'чернова' },
      free: { en: 'free: nothing was paid', bg: 'безплатна: нищо не е платено' },
      'gift-card': { en: 'only gift cards were sold', bg: 'продадени са само ваучери' },
    } as Readonly<Record<string, LocalizedText>>,
    waiting: { en: 'not paid yet', bg: 'още не е платена' },
    unconfirmed: { en: 'we lost the reply, so we don’t know if it was recorded', bg: 'отговорът се изгуби и не знаем дали е записана' },
    removed: { en: 'no longer a sale', bg: 'вече не е продажба' },
    resolvedByHand: { en: 'resolved by hand', bg: 'приключена ръчно' },
  },
  select: { en: (number: string): string => `Select order ${number}`, bg: (number: string) => `Избор на поръчка ${number}` },
  selectPage: { en: 'Select all on this page', bg: 'Избери всички на тази страница' },
  bulk: {
    title: { en: 'Selected orders', bg: 'Избраните поръчки' },
    all: { en: (n: string): string => `Apply to all ${n} in review that match`, bg: (n: string) => `Приложи към всички намерени за проверка: ${n}` },
    tooMany: {
      en: (most: number): string => `More than ${countText(most, 'en')} match: narrow the list to act on all of them.`,
      bg: (most: number) => `Намерени са повече от ${countText(most, 'bg')}: стеснете списъка, за да действате с всички.`,
    },
    release: { en: 'Retry', bg: 'Опитай отново' },
    resolve: { en: 'Resolve by hand…', bg: 'Приключи ръчно…' },
    how: { en: 'Outcome', bg: 'Какво е станало с тях' },
    'not-a-sale': { en: 'no sale of this shop', bg: 'не са продажби на този магазин' },
    elsewhere: { en: 'recorded elsewhere, for good', bg: 'отчетени са другаде, окончателно' },
    note: { en: 'Note (kept in Activity)', bg: 'Бележка (остава в „Действия“)' },
    resolveAll: { en: 'Resolve', bg: 'Приключи' },
    none: { en: 'Select at least one order.', bg: 'Изберете поне една поръчка.' },
    noNote: { en: 'Write a note: it is kept in Activity.', bg: 'Напишете бележка: тя остава в „Действия“.' },
    noOutcome: { en: 'Choose an outcome.', bg: 'Изберете какво е станало с тях.' },
    changed: {
      en: (numbers: string): string => `Changed since you opened the page: ${numbers}`,
      bg: (numbers: string) => `Променени, след като отворихте страницата: ${numbers}`,
    },
  },
  about: {
    release: { en: 'retried', bg: 'нов опит' },
    'not-a-sale': { en: 'resolved as no sale', bg: 'приключени: не са продажби' },
    elsewhere: { en: 'resolved as recorded elsewhere', bg: 'приключени: отчетени другаде' },
  },
  none: {
    atAll: {
      en: 'No order is known yet. The first webhook of a store brings one: here you will see its state, why it waits, and what was recorded.',
      bg: 'Още няма поръчки. Първата идва с първото известие от магазин: тук ще виждате състоянието ѝ, защо чака и какво е записано.',
    },
    filtered: { en: 'No order matches.', bg: 'Никоя поръчка не отговаря.' },
  },
  ask: {
    lead: {
      en: 'If it is a new order, we can ask a store for it through its API:',
      bg: 'Ако е нова поръчка, можем да попитаме магазин за нея чрез неговия API:',
    },
    store: { en: (name: string): string => `Ask ${name} for it`, bg: (name: string) => `Питай ${name} за нея` },
    noneTitle: { en: 'It was not found in the store', bg: 'Не е намерена в магазина' },
    none: {
      en: (store: string, q: string, days: number): string =>
        days === 0
          ? `${store} has no order with the id ${q}. More than 1,000 orders changed lately, too many to search by number: ask by its id.`
          : `${store} has no order with the id ${q}, and none with this number that changed in the last ${days} days.`,
      bg: (store: string, q: string, days: number) =>
        days === 0
          ? `${store} няма поръчка с идентификатор ${q}. Номерът не можа да бъде потърсен сред всички променени напоследък, защото са над 1000: питайте по идентификатора.`
          : `${store} няма поръчка с идентификатор ${q}, нито с този номер сред променените през последните ${days} дни.`,
    },
  },
});
