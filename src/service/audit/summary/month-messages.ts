import { limits } from '../../../contract/limits.ts';
import { dayText, momentText } from '../../../contract/local-text.ts';
import { type Lang, type LocalizedText, messages } from '../../../contract/messages.ts';
import { counted } from '../../../contract/plural.ts';

export type FormField = 'version' | 'incomingNumber' | 'filedOn' | 'words' | 'note';

/** Why nothing was done to a month. Days are "2026-11-12", moments ISO 8601. */
export type ActRefusal =
  | { why: Exclude<keyof typeof refusals, 'outstanding' | 'outdated' | 'waiting' | 'just-mailed' | 'wrong-day' | 'unreadable'> }
  | { why: 'outstanding'; outstanding: { orders: number } }
  | { why: 'outdated'; version: number; changes: number }
  | { why: 'waiting' | 'just-mailed'; until: string }
  | { why: 'wrong-day'; first: string; last: string }
  | { why: 'unreadable'; field: FormField };

/** Why nothing was done, for people. */
export function refusalText(refusal: ActRefusal, lang: Lang): string {
  const text: string | ((refusal: never) => string) = refusals[refusal.why][lang];
  return typeof text === 'string' ? text : text(refusal as never);
}

const noFile = {
  en: 'There is no such version of the file. Choose one of the list, or make the file first.',
  bg: 'Няма такава версия на файла. Изберете версия от списъка, или първо изгответе файла.',
};
const filedAlready = {
  en: 'The month is marked as filed already. If the agency rejected the file, say that first.',
  bg: 'Месецът вече е отбелязан като подаден. Ако НАП е върнала файла, отбележете първо това.',
};
const beingMade = {
  en: 'The file is being made at this moment. Look again in a minute.',
  bg: 'Файлът се изготвя в момента. Погледнете отново след минута.',
};

const unreadable: Readonly<Record<FormField, LocalizedText>> = {
  version: { en: 'Choose a version of the list.', bg: 'Изберете версия от списъка.' },
  incomingNumber: {
    en: `Type the number that the agency gave: one line of up to ${limits.incomingNumber} characters, without tabs.`,
    bg: `Въведете номера, даден от НАП: един ред до ${limits.incomingNumber} знака, без табулации.`,
  },
  filedOn: { en: 'Choose a day, such as 12 November 2026.', bg: 'Изберете ден, например 12 ноември 2026 г.' },
  words: {
    en: `Paste what the agency said: ${limits.rejectedWords} characters at most.`,
    bg: `Поставете какво съобщи НАП: най-много ${limits.rejectedWords} знака.`,
  },
  note: {
    en: `Write what was agreed, and with whom: ${limits.nothingNote} characters at most.`,
    bg: `Напишете какво е уговорено и с кого: най-много ${limits.nothingNote} знака.`,
  },
};

const refusals = {
  'test-shop': { en: 'This is a test shop: no file of it is made or filed.', bg: 'Това е тестов магазин: файл не се изготвя и не се подава.' },
  'no-shop': { en: 'The shop was deleted meanwhile.', bg: 'Магазинът междувременно е изтрит.' },
  'no-file': noFile,
  already: filedAlready,
  filed: filedAlready,
  'not-filed': { en: 'The month is not marked as filed.', bg: 'Месецът не е отбелязан като подаден.' },
  'too-late': {
    en: 'The file was filed too long ago to be made again: orders that were deleted since are no longer kept. Ask your accountant how to correct what was filed.',
    bg: 'Файлът е подаден твърде отдавна, за да бъде изготвен наново: изтритите след това поръчки вече не се пазят. Попитайте счетоводителя си как да поправите подаденото.',
  },
  'has-orders': {
    en: 'The month has orders, so its file must be made and filed.',
    bg: 'В месеца има поръчки, затова за него трябва да бъде изготвен и подаден файл.',
  },
  'has-file': {
    en: 'The month has a file. File it, and mark it as filed.',
    bg: 'За месеца вече има файл. Подайте го и го отбележете като подаден.',
  },
  'not-ours': {
    en: 'The shop was not here in this month: a file of it is made where it was then.',
    bg: 'През този месец магазинът още не е бил тук: файлът се изготвя там, където е бил тогава.',
  },
  'has-returns': {
    en: 'The month has returns, which no file can include. Write how they were dealt with.',
    bg: 'В месеца има върнати суми, които никой файл не може да съобщи. Запишете как са уредени.',
  },
  'not-ended': { en: 'The month is not over. Try again after its end.', bg: 'Месецът още не е свършил. Опитайте след края му.' },
  making: beingMade,
  busy: beingMade,
  blocked: {
    en: 'The file can’t be made. The reasons, and what to do about each, are listed below.',
    bg: 'Файлът не може да бъде изготвен. Причините, и какво да направите при всяка, са изброени по-долу.',
  },
  empty: {
    en: 'The month has no order for a file, and the agency takes none without orders. If your accountant agrees, mark it as nothing to file.',
    bg: 'В месеца няма поръчки за файл, а файл без поръчки не се приема от НАП. Ако счетоводителят ви е съгласен, отбележете, че няма какво да се подава.',
  },
  'too-often': {
    en: 'The file was made several times just now. Wait a few minutes.',
    bg: 'Файлът беше изготвян няколко пъти току-що. Изчакайте няколко минути.',
  },
  outstanding: {
    en: ({ outstanding: { orders } }: { outstanding: { orders: number } }): string =>
      `${counted.en(orders, 'paid order of the month is', 'paid orders of the month are')} not recorded, and not in the file. Have them recorded first, and make the file again; if it was filed without them, confirm that.`,
    bg: ({ outstanding: { orders } }: { outstanding: { orders: number } }) =>
      `${counted.bg(orders, 'платена поръчка от месеца не е записана и я', 'платени поръчки от месеца не са записани и ги')} няма във файла. Нека първо бъдат записани и файлът изготвен отново; ако е подаден без тях, потвърдете това.`,
  },
  outdated: {
    en: ({ version, changes }: { version: number; changes: number }): string =>
      `Version ${version} lacks ${counted.en(changes, 'change', 'changes')}. Make a new version and file that; if exactly this one was filed, confirm that.`,
    bg: ({ version, changes }: { version: number; changes: number }) =>
      `След версия ${version} има ${counted.bg(changes, 'промяна', 'промени')}. Изгответе нова версия и подайте нея; ако вече сте подали точно тази, потвърдете това.`,
  },
  waiting: {
    en: ({ until }: { until: string }): string =>
      `An order was deleted just now, and its replacement may be on its way. Try again after ${momentText(until, 'en')}.`,
    bg: ({ until }: { until: string }) => `Току-що беше изтрита поръчка и може да идва нейната заместваща. Опитайте след ${momentText(until, 'bg')}`,
  },
  'just-mailed': {
    en: ({ until }: { until: string }): string => `It was mailed just now. It can be mailed again after ${momentText(until, 'en')}.`,
    bg: ({ until }: { until: string }) => `Току-що беше изпратен. Може да бъде изпратен отново след ${momentText(until, 'bg')}`,
  },
  'wrong-day': {
    en: ({ first, last }: { first: string; last: string }): string =>
      `The day may be from ${dayText(first, 'en')}, when the version was made, to ${dayText(last, 'en')}, today.`,
    bg: ({ first, last }: { first: string; last: string }) => `Денят може да е от ${dayText(first)} (когато е изготвена версията) до днес, ${dayText(last)}`,
  },
  unreadable: { en: ({ field }: { field: FormField }): string => unreadable[field].en, bg: ({ field }: { field: FormField }) => unreadable[field].bg },
} satisfies Record<string, Readonly<Record<Lang, unknown>>>;

/** What people say of a month, or ask for, by forms. */
export const actMessages = messages({
  filed: {
    heading: { en: 'The file is filed', bg: 'Файлът е подаден' },
    lead: {
      en: 'This only notes it: you file in the agency’s portal, with your qualified signature. No reminders come afterwards.',
      bg: 'Само отбелязва: файлът се подава от вас в портала на НАП, с КЕП. След това за месеца няма напомняния.',
    },
    button: { en: 'Mark as filed', bg: 'Отбележи като подаден' },
    done: { en: 'The month is marked as filed.', bg: 'Месецът е отбелязан като подаден.' },
  },
  correct: {
    heading: { en: 'What was noted of the filing', bg: 'Какво е отбелязано за подаването' },
    lead: {
      en: 'The agency’s number and the day can be added or corrected. What was there before is kept.',
      bg: 'Номерът от НАП и денят могат да бъдат добавени или поправени. Предишното се пази.',
    },
    button: { en: 'Save the correction', bg: 'Запиши поправката' },
    done: { en: 'The number and the day are kept.', bg: 'Номерът и денят са записани.' },
  },
  rejected: {
    heading: { en: 'The agency found errors', bg: 'НАП върна грешки' },
    lead: { en: 'The month is opened again, so that a corrected file can be made.', bg: 'Месецът се отваря отново, за да бъде изготвен поправен файл.' },
    button: { en: 'Mark as rejected', bg: 'Отбележи като върнат' },
    done: {
      en: 'The file is marked as rejected. Correct the data, and make a new version.',
      bg: 'Файлът е отбелязан като върнат от НАП. Поправете данните и изгответе нова версия.',
    },
  },
  again: {
    heading: { en: 'Make the file', bg: 'Изготвяне на файла' },
    lead: {
      en: 'Makes a new version with the orders that are recorded by now. Earlier versions are kept.',
      bg: 'Изготвя нова версия с поръчките, записани до момента. Предишните версии остават.',
    },
    button: { en: 'Make the file', bg: 'Изготви файла' },
    done: { en: 'A version of the file was made. Compare its sums, and file it.', bg: 'Изготвена е версия на файла. Сверете сумите ѝ и я подайте.' },
  },
  nothing: {
    heading: { en: 'Nothing to file', bg: 'Няма какво да се подава' },
    lead: {
      en: 'For a month without orders, once your accountant has agreed. An order that comes into the month opens it again.',
      bg: 'За месец без поръчки, след като счетоводителят ви го е потвърдил. Ако в месеца влезе поръчка, той се отваря отново.',
    },
    button: { en: 'Mark as nothing to file', bg: 'Отбележи, че няма какво да се подава' },
    done: { en: 'The month is marked as having nothing to file.', bg: 'Отбелязано е, че за месеца няма какво да се подава.' },
  },
  returns: {
    heading: { en: 'The returns are dealt with', bg: 'Върнатите суми са уредени' },
    lead: {
      en: 'No file can include them. Once your accountant has corrected the VAT, write how: until then they stay on the pages of the months after it.',
      bg: 'Никой файл не може да ги съобщи. Щом счетоводителят ви коригира ДДС, запишете как: дотогава те остават на страниците на следващите месеци.',
    },
    button: { en: 'Mark as dealt with', bg: 'Отбележи като уредени' },
  },
  fields: {
    version: { en: 'Version that was filed', bg: 'Подадена версия' },
    incomingNumber: { en: 'Incoming number (Вх. №) of the agency', bg: 'Входящ номер (Вх. №) от НАП' },
    filedOn: { en: 'Filed on', bg: 'Подаден на' },
    words: { en: 'What the agency said (copy or paste its words)', bg: 'Какво съобщи НАП (препишете или поставете текста)' },
    note: { en: 'What was agreed, and with whom', bg: 'Какво е уговорено и с кого' },
  } satisfies Record<FormField, LocalizedText>,
  versionOf: {
    en: ({ version, createdAt }: { version: number; createdAt: string }): string => `version ${version}, made on ${momentText(createdAt, 'en')}`,
    bg: ({ version, createdAt }: { version: number; createdAt: string }) => `версия ${version}, изготвена на ${momentText(createdAt, 'bg')}`,
  },
  withoutOutstanding: {
    en: 'It was filed without the orders that are not recorded; they go into a later file.',
    bg: 'Файлът е подаден без поръчките, които не са записани; те ще влязат в по-късен файл.',
  },
  asIs: {
    en: 'Exactly this version was filed; the changes since go into later files.',
    bg: 'Подадена е точно тази версия; промените след нея ще влязат в по-късни файлове.',
  },
});

/** Lists of months and of the versions of a file. */
export const listMessages = messages({
  month: { en: 'Month', bg: 'Месец' },
  state: { en: 'State', bg: 'Състояние' },
  orders: { en: 'Orders', bg: 'Поръчки' },
  outstanding: { en: 'Paid, not in it', bg: 'Платени, но извън файла' },
  term: { en: 'Term', bg: 'Срок' },
  versions: { en: 'Versions and files', bg: 'Версии и файлове' },
  version: { en: 'Version', bg: 'Версия' },
  made: { en: 'Made', bg: 'Изготвена' },
  size: { en: 'Size', bg: 'Големина' },
  bytes: { en: (bytes: number): string => counted.en(bytes, 'byte', 'bytes'), bg: (bytes: number) => counted.bg(bytes, 'байт', 'байта') },
  download: { en: 'Download', bg: 'Изтегляне' },
  formats: {
    xml: { en: 'XML', bg: 'XML' },
    csv: { en: 'CSV', bg: 'CSV' },
    bookkeeping: { en: 'Bookkeeping CSV', bg: 'CSV за счетоводството' },
    summary: { en: 'Summary', bg: 'Справка' },
  },
  formatOf: {
    en: (format: string, version: number): string => `${format} of version ${version}`,
    bg: (format: string, version: number) => `${format}, версия ${version}`,
  },
  formatsLead: {
    en: 'The XML is filed as it is. The others are for reading, in Bulgarian.',
    bg: 'Подава се XML файлът такъв, какъвто е. Останалите са за четене.',
  },
  filed: { en: 'filed', bg: 'подадена' },
  noVersion: { en: 'No file was made yet.', bg: 'Още няма изготвен файл.' },
});
