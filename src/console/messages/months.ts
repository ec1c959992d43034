import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';
import type { BoardColumn } from '../../operations/months/month-board.ts';

/** The board of months. */
export const months = messages({
  title: { en: 'Months', bg: 'Месеци' },
  only: { en: (month: string): string => `Only ${month}.`, bg: (month: string) => `Само ${month}.` },
  allMonths: { en: 'All months', bg: 'Всички месеци' },
  lead: {
    en: 'The audit file of a month is filed with the agency by the 15th of the next one, or by the working day after it.',
    bg: 'Одиторският файл за месеца се подава в НАП до 15-о число на следващия месец или до работния ден след него.',
  },
  columns: {
    open: { en: 'Open', bg: 'Текущи' },
    check: { en: 'To check', bg: 'За проверка' },
    file: { en: 'To file', bg: 'За подаване' },
    filed: { en: 'Filed', bg: 'Подадени' },
    rejected: { en: 'Rejected', bg: 'Върнати' },
  } satisfies Readonly<Record<BoardColumn, LocalizedText>>,
  nothingHere: { en: 'Nothing', bg: 'Няма' },
  none: {
    en: 'No shop is at this compliance service yet, so there are no months. A shop is made when the first store is connected.',
    bg: 'В тази услуга за отчитане още няма магазин, затова няма и месеци. Магазин се създава при свързването на първия.',
  },
  noneOfYours: {
    en: 'No shop was given to you yet. The person who owns this installation gives you shops under People.',
    bg: 'Още не ви е даден магазин. Собственикът на тази инсталация дава магазини в „Хора“.',
  },
  late: {
    en: (count: number): string => `${counted.en(count, 'month is', 'months are')} overdue: not marked as filed by the due date.`,
    bg: (count: number) => `${counted.bg(count, 'месец закъснява', 'месеца закъсняват')}: срокът е изтекъл, а не е отбелязано подаване.`,
  },
  shop: { en: 'Shop', bg: 'Магазин' },
  allShops: { en: 'All shops', bg: 'Всички магазини' },
  choose: { en: 'Show', bg: 'Покажи' },
  older: { en: 'Older months', bg: 'По-стари месеци' },
  olderOf: { en: (shop: string): string => `All months of ${shop}`, bg: (shop: string) => `Всички месеци на ${shop}` },
  olderNone: { en: 'This shop has no months yet.', bg: 'Този магазин още няма месеци.' },
  chooseFirst: { en: 'Choose a shop to see its older months.', bg: 'Изберете магазин, за да видите по-старите му месеци.' },
  back: { en: 'To the board', bg: 'Към таблото' },
  folded: { en: (count: number): string => `Show ${count} more`, bg: (count: number) => `Покажи още ${count}` },
  more: { en: (count: number): string => `${count} more: choose a shop.`, bg: (count: number) => `Още ${count}: изберете магазин.` },
  card: {
    sums: {
      en: (count: number, sum: string): string => `${orderCount.en(count)} · ${sum}`,
      bg: (count: number, sum: string) => `${orderCount.bg(count)} · ${sum}`,
    },
    soFar: { en: 'so far', bg: 'досега' },
    outstanding: {
      en: (count: number, sum: string): string => `${counted.en(count, 'paid order is', 'paid orders are')} not in it (${sum})`,
      bg: (count: number, sum: string) => `${counted.bg(count, 'платена поръчка не е', 'платени поръчки не са')} във файла (${sum})`,
    },
    settle: { en: 'Resolve them first', bg: 'Първо ги приключете' },
    errors: {
      en: (count: number): string => `${counted.en(count, 'error stops', 'errors stop')} the file`,
      bg: (count: number) => `${counted.bg(count, 'грешка спира', 'грешки спират')} файла`,
    },
    rates: {
      en: (count: number): string => counted.en(count, 'exchange rate is missing', 'exchange rates are missing'),
      bg: (count: number) => counted.bg(count, 'валутен курс липсва', 'валутни курса липсват'),
    },
    lacks: {
      en: (count: number): string => `is missing ${counted.en(count, 'change', 'changes')}: make it again`,
      bg: (count: number) => `${counted.bg(count, 'промяна липсва', 'промени липсват')}: изгответе го отново`,
    },
    without: { en: (count: number): string => `filed without ${orderCount.en(count)}`, bg: (count: number) => `подаден без ${orderCount.bg(count)}` },
    filed: {
      en: (day: string, number: string | null): string => `filed on ${day}${number === null ? ', no number given' : `, No ${number}`}`,
      bg: (day: string, number: string | null) => `подаден на ${day}${number === null ? ', без посочен номер' : `, вх. № ${number}`}`,
    },
    due: {
      en: (day: string, left: number): string => `due ${day}: ${left === 0 ? 'today' : counted.en(left, 'day left', 'days left')}`,
      bg: (day: string, left: number) => `срок ${day}: ${left === 0 ? 'днес' : form.bg(left, 'остава 1 ден', `остават ${left} дни`)}`,
    },
    late: { en: (day: string): string => `late: was due ${day}`, bg: (day: string) => `закъснява: срокът беше ${day}` },
    fileOn: { en: (day: string): string => `due ${day}`, bg: (day: string) => `срок ${day}` },
  },
  due: {
    title: { en: 'By due date, with sums', bg: 'По срок, със суми' },
    company: { en: 'Company', bg: 'Фирма' },
    total: { en: 'Total', bg: 'Общо с ДДС' },
    vat: { en: 'VAT', bg: 'ДДС' },
    sum: { en: 'Sum', bg: 'Сбор' },
    all: { en: 'All', bg: 'Всички' },
    states: { late: { en: 'Overdue', bg: 'Просрочен' } },
    none: { en: 'No month matches.', bg: 'Няма такива месеци.' },
    chooseMonth: { en: 'Choose a month to download all its files at once.', bg: 'Изберете месец, за да изтеглите всичките му файлове наведнъж.' },
    download: {
      en: (count: number): string => `Download the files of ${counted.en(count, 'shop', 'shops')} (.zip)`,
      bg: (count: number) => `Изтегли файловете на ${counted.bg(count, 'магазин', 'магазина')} (.zip)`,
    },
    missing: {
      en: (count: number): string => `Not ready: ${counted.en(count, 'shop', 'shops')}`,
      bg: (count: number) => `Още не са готови: ${counted.bg(count, 'магазин', 'магазина')}`,
    },
    outstanding: {
      en: (count: number): string => `${counted.en(count, 'paid order is', 'paid orders are')} not in it`,
      bg: (count: number) => `${counted.bg(count, 'платена поръчка не е', 'платени поръчки не са')} във файла`,
    },
    tooMany: {
      en: (most: number): string => `One archive holds at most ${counted.en(most, 'shop', 'shops')}: choose a company.`,
      bg: (most: number) => `В един архив се събират най-много ${counted.bg(most, 'магазин', 'магазина')}: изберете фирма.`,
    },
    tooManySums: {
      en: (most: number): string => `Up to ${counted.en(most, 'month is', 'months are')} summed: choose a company or a shop.`,
      bg: (most: number) => `Сумират се най-много ${counted.bg(most, 'месец', 'месеца')}: изберете фирма или магазин.`,
    },
    listName: { en: 'not-ready.txt', bg: 'липсват.txt' },
    listTitle: { en: (month: string): string => `Not in this archive, ${month}:`, bg: (month: string) => `Липсват в този архив, ${month}:` },
    nothingMissing: { en: 'Nothing: all files are here.', bg: 'Нищо: всички файлове са тук.' },
  },
  foreign: {
    words: {
      en: 'This installation records at a compliance service that is not part of it. That service keeps the months, makes their files and takes what is filed; ask it, or the person who runs it.',
      bg: 'Тази инсталация отчита в услуга, която не е част от нея. Тя води месеците, изготвя файловете им и отбелязва подаденото; попитайте нея или този, който я поддържа.',
    },
    title: { en: 'Paid orders that are not recorded', bg: 'Платени поръчки, които не са записани' },
    lead: {
      en: 'What orderbridge knows: these orders will be missing in the file of their month until somebody resolves them.',
      bg: 'Това, което orderbridge знае: тези поръчки ще липсват във файла за месеца си, докато някой не ги приключи.',
    },
    none: {
      en: 'No paid order waits: all that orderbridge knows of is recorded.',
      bg: 'Няма чакаща платена поръчка: записано е всичко, за което orderbridge знае.',
    },
    columns: {
      store: { en: 'Store', bg: 'Магазин' },
      month: { en: 'Month', bg: 'Месец' },
      orders: { en: 'Orders', bg: 'Поръчки' },
      sum: { en: 'Sum', bg: 'Сума' },
      oldest: { en: 'Oldest', bg: 'Най-стара' },
      codes: { en: 'Why', bg: 'Защо' },
    },
    cut: { en: 'Only the first 1,000 orders of a shop were counted.', bg: 'Преброени са само първите 1000 поръчки на магазин.' },
  },
});
