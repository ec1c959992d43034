import { messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';

const many = { en: (n: number): string => counted.en(n, 'rate', 'rates'), bg: (n: number): string => counted.bg(n, 'курс', 'курса') };

/** Exchange rates of our own compliance service. */
export const rates = messages({
  title: { en: 'Exchange rates', bg: 'Валутни курсове' },
  intro: {
    en: 'Prices in other currencies are converted by the daily rates of the Bulgarian National Bank. The service fetches the newest sheet every day by itself.',
    bg: 'Цени в други валути се превръщат по дневните курсове на БНБ. Услугата сама изтегля най-новата таблица всеки ден.',
  },
  link: { en: 'Exchange rates of our own service', bg: 'Валутни курсове на собствената услуга' },
  newest: { en: (day: string): string => `The newest sheet is of ${day}.`, bg: (day: string) => `Най-новата таблица е от ${day}` },
  none: {
    en: 'No sheet is stored yet. Each day’s rates will be here.',
    bg: 'Още няма запазена таблица. Тук ще са курсовете за всеки ден.',
  },
  nothingWaits: { en: 'No order waits for a rate.', bg: 'Никоя поръчка не чака курс.' },
  waiting: { en: 'Orders that wait for a rate', bg: 'Поръчки, които чакат курс' },
  waitingHint: {
    en: 'Until it is there, the files of their months can’t be made. Fetch the sheets, or import those of these days.',
    bg: 'Докато го няма, файловете за месеците им не могат да бъдат изготвени. Изтеглете таблиците или внесете тези за посочените дни.',
  },
  day: { en: 'Day', bg: 'Ден' },
  currency: { en: 'Currency', bg: 'Валута' },
  orders: { en: 'Orders', bg: 'Поръчки' },
  count: { en: 'Rates', bg: 'Курсове' },
  rate: { en: 'Rate', bg: 'Курс' },
  sheets: { en: 'The newest sheets', bg: 'Най-новите таблици' },
  ofNewest: { en: 'The rates of the newest sheet', bg: 'Курсовете от най-новата таблица' },
  fetch: { en: 'Fetch now', bg: 'Изтегли сега' },
  noSource: {
    en: '`BNB_RATES_URL` is off: nothing is fetched. Import the files of the bank.',
    bg: '`BNB_RATES_URL` е изключен: нищо не се изтегля. Внесете файловете на БНБ.',
  },
  importTitle: { en: 'Import a file of the bank', bg: 'Внасяне на файл от БНБ' },
  file: { en: 'XML file', bg: 'XML файл' },
  fileHint: { en: 'For one day or a period. All of it is imported, or nothing.', bg: 'За един ден или за период. Внася се целият или нищо от него.' },
  replace: {
    en: 'Overwrite values already stored; orders that already have a rate keep it.',
    bg: 'Замени вече запазените стойности; поръчките, които имат курс, го запазват.',
  },
  complete: {
    en: 'The file lists every sheet from its first day to its last: for a day without one, the previous sheet counts.',
    bg: 'Файлът съдържа всяка таблица от първия до последния си ден: за ден между тях без таблица важи предишната.',
  },
  import: { en: 'Import it', bg: 'Внеси го' },
  noFile: {
    en: (megabytes: number): string => `Choose an XML file of at most ${megabytes} MB.`,
    bg: (megabytes: number) => `Изберете XML файл до ${megabytes} MB.`,
  },
  notImported: { en: 'Nothing was imported:', bg: 'Нищо не беше внесено:' },
  different: { en: 'If the new values are right, tick the box to overwrite.', bg: 'Ако новите стойности са верни, отбележете, че заменят запазените.' },
  fetched: {
    en: (day: string, added: number, unchanged: number): string => `The newest sheet is of ${day}: ${many.en(added)} stored, ${unchanged} known already.`,
    bg: (day: string, added: number, unchanged: number) => `Най-новата таблица е от ${day}: запазени са ${many.bg(added)}, вече познати ${unchanged}.`,
  },
  late: {
    en: 'It is past 18:00 of a working day and the sheet of today is not there; until it comes, the one before counts.',
    bg: 'Минава 18:00 ч. в работен ден, а днешната таблица още я няма; дотогава важи предишната.',
  },
  days: { en: (days: string): string => `Missed days that were fetched: ${days}.`, bg: (days: string) => `Изтеглени пропуснати дни: ${days}` },
  missed: {
    en: (days: string): string => `The sheets of these days could not be fetched: ${days}.`,
    bg: (days: string) => `Таблиците за тези дни не можаха да бъдат изтеглени: ${days}`,
  },
  imported: {
    en: (days: string, n: { added: number; replaced: number; unchanged: number }): string =>
      `${days}: ${many.en(n.added)} stored, ${n.replaced} replaced, ${n.unchanged} known already.`,
    bg: (days: string, n: { added: number; replaced: number; unchanged: number }) =>
      `${days}: запазени ${many.bg(n.added)}, заменени ${n.replaced}, вече познати ${n.unchanged}.`,
  },
  filled: {
    en: (n: number): string => `${orderCount.en(n)} that waited for a rate ${form.en(n, 'has', 'have')} it now.`,
    bg: (n: number) => counted.bg(n, 'поръчка, която чакаше курс, вече го има.', 'поръчки, които чакаха курс, вече го имат.'),
  },
  stillWait: {
    en: (n: number): string => `${orderCount.en(n)} still ${form.en(n, 'waits', 'wait')} for a rate.`,
    bg: (n: number) => counted.bg(n, 'поръчка още чака курс.', 'поръчки още чакат курс.'),
  },
});
