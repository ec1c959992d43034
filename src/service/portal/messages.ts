import { limits } from '../../contract/limits.ts';
import { dayName, dayText, momentText, monthName } from '../../contract/local-text.ts';
import { messages } from '../../contract/messages.ts';
import { counted } from '../../contract/plural.ts';
import type { Lang, Said } from '../../contract/said.ts';
import type { StoredVersion } from '../audit/month/read-versions.ts';
import { counted as countedText } from '../audit/summary/counted.ts';

/** What a person can say of a month, or ask for. */
export const ACTS = ['filed', 'rejected', 'again', 'nothing'] as const;
export type ActName = (typeof ACTS)[number];

/** A field of a form. */
export type FormField = 'version' | 'incomingNumber' | 'filedOn' | 'words' | 'note';

/** Why nothing was done. Days are "2026-11-12", moments ISO 8601. */
export type ActRefusal =
  | {
      why:
        | 'no-file'
        | 'already'
        | 'not-filed'
        | 'too-late'
        | 'has-orders'
        | 'has-file'
        | 'not-ended'
        | 'making'
        | 'filed'
        | 'blocked'
        | 'empty'
        | 'too-often'
        | 'no-shop'
        | 'not-ours'
        | 'has-returns'
        | 'test-shop';
    }
  | { why: 'outstanding'; orders: number }
  | { why: 'outdated'; version: number; changes: number }
  | { why: 'waiting'; until: string }
  | { why: 'wrong-day'; first: string; last: string }
  | { why: 'unreadable'; field: FormField };

const fields = {
  version: { en: 'Version that was filed', bg: 'Подадена версия' },
  incomingNumber: { en: 'Incoming number (Вх. №) of the agency', bg: 'Входящ номер (Вх. №) от НАП' },
  filedOn: { en: 'Filed on', bg: 'Подаден на' },
  words: { en: 'What the agency said (copy or paste its words)', bg: 'Какво съобщи НАП (препишете или поставете текста)' },
  note: { en: 'What was agreed, and with whom', bg: 'Какво е уговорено и с кого' },
} satisfies Record<FormField, Said>;

const noFile = {
  en: 'There is no such version of the file. Choose one of the list, or make the file first.',
  bg: 'Няма такава версия на файла. Изберете версия от списъка, или първо изгответе файла.',
};
const filedAlready = {
  en: 'The month is marked as filed already. If the agency rejected the file, say that first.',
  bg: 'Месецът вече е отбелязан като подаден. Ако НАП е върнала файла, отбележете първо това.',
};

/** The pages behind the links in mails. `bulgarianOnly`: above what is in Bulgarian alone. */
export const portalMessages = messages({
  lang: { en: 'en' as Lang, bg: 'bg' as Lang },
  month: { en: (month: string): string => monthName(month, 'en'), bg: (month: string) => monthName(month, 'bg') },
  day: { en: (day: string): string => dayName(day, 'en'), bg: dayText },
  moment: { en: (at: string): string => momentText(at, 'en'), bg: (at: string) => momentText(at, 'bg') },
  ways: {
    label: { en: 'Pages', bg: 'Страници' },
    month: { en: 'The month', bg: 'Месецът' },
    all: { en: 'All months', bg: 'Всички месеци' },
    other: { en: 'Български', bg: 'English' },
  },
  states: {
    open: { en: 'To come', bg: 'Предстои' },
    generated: { en: 'To be filed', bg: 'За подаване' },
    filed: { en: 'Filed', bg: 'Подаден' },
    rejected: { en: 'Rejected by the agency', bg: 'Върнат от НАП' },
    nothing: { en: 'Nothing to file', bg: 'Няма какво да се подаде' },
    blocked: { en: 'Not made: something is in the way', bg: 'Не е изготвен: има пречки' },
    empty: { en: 'No orders', bg: 'Няма поръчки' },
    'returns-only': { en: 'Returns that no file tells', bg: 'Само връщания, които никой файл не съобщава' },
    test: { en: 'Test shop', bg: 'Тестов магазин' },
    'not-ours': { en: 'Before the shop was here', bg: 'Преди магазинът да е тук' },
  },
  lacks: { en: 'To be made again', bg: 'Да се изготви отново' },
  incomplete: { en: 'Ready, but incomplete', bg: 'Готов, но непълен' },
  overdue: { en: 'Not made yet, and late', bg: 'Още не е изготвен, закъснява' },
  acts: {
    title: { en: 'Say what was done', bg: 'Отбележете какво е направено' },
    none: { en: 'There is nothing to say of this month yet.', bg: 'За този месец засега няма какво да се отбележи.' },
    heading: {
      filed: { en: 'The file is filed', bg: 'Файлът е подаден' },
      rejected: { en: 'The agency found errors', bg: 'НАП върна грешки' },
      again: { en: 'Make the file', bg: 'Изготвяне на файла' },
      nothing: { en: 'Nothing to file', bg: 'Няма какво да се подаде' },
    },
    lead: {
      filed: {
        en: 'This only notes it: you file in the agency’s portal, with your qualified signature. No reminders come afterwards.',
        bg: 'Само отбелязва: файлът се подава от вас в портала на НАП, с КЕП. След това за месеца няма напомняния.',
      },
      rejected: { en: 'The month is opened again, so that a corrected file can be made.', bg: 'Месецът се отваря отново, за да бъде изготвен поправен файл.' },
      again: {
        en: 'Makes a new version with the orders that are recorded by now. Earlier versions are kept.',
        bg: 'Изготвя нова версия с поръчките, записани до момента. Предишните версии остават.',
      },
      nothing: {
        en: 'For a month without orders, once your accountant has agreed. An order that comes into the month opens it again.',
        bg: 'За месец без поръчки, след като счетоводителят ви го е потвърдил. Ако в месеца влезе поръчка, той се отваря отново.',
      },
    },
    button: {
      filed: { en: 'Mark as filed', bg: 'Отбележи като подаден' },
      rejected: { en: 'Mark as rejected', bg: 'Отбележи като върнат' },
      again: { en: 'Make the file', bg: 'Изготви файла' },
      nothing: { en: 'Mark as nothing to file', bg: 'Отбележи, че няма какво да се подаде' },
    },
    correct: {
      heading: { en: 'What was noted of the filing', bg: 'Какво е отбелязано за подаването' },
      lead: {
        en: 'The agency’s number and the day can be added or corrected. What was there before is kept.',
        bg: 'Номерът от НАП и денят могат да бъдат добавени или поправени. Предишното се пази.',
      },
      button: { en: 'Save the correction', bg: 'Запиши поправката' },
    },
    returns: {
      heading: { en: 'The returns are dealt with', bg: 'Върнатите суми са уредени' },
      lead: {
        en: 'No file can tell them. Once your accountant has corrected the VAT, write how: until then they stay on the pages of the months after it.',
        bg: 'Никой файл не може да ги съобщи. Щом счетоводителят ви коригира ДДС, запишете как: дотогава те остават на страниците на следващите месеци.',
      },
      button: { en: 'Mark as dealt with', bg: 'Отбележи като уредени' },
    },
    fields,
    versionOf: {
      en: ({ version, createdAt }: Pick<StoredVersion, 'version' | 'createdAt'>): string => `version ${version}, made on ${momentText(createdAt, 'en')}`,
      bg: ({ version, createdAt }: Pick<StoredVersion, 'version' | 'createdAt'>) => `версия ${version}, изготвена на ${momentText(createdAt, 'bg')}`,
    },
    withoutOutstanding: {
      en: 'It was filed without the orders that are not recorded; they go into a later file.',
      bg: 'Файлът е подаден без поръчките, които не са записани; те ще влязат в по-късен файл.',
    },
    asIs: {
      en: 'Exactly this version was filed; the changes since go into later files.',
      bg: 'Подадена е точно тази версия; промените след нея ще влязат в по-късни файлове.',
    },
    optional: { en: 'optional', bg: 'по желание' },
  },
  done: {
    label: { en: 'Saved', bg: 'Записано' },
    words: {
      filed: { en: 'The month is marked as filed.', bg: 'Месецът е отбелязан като подаден.' },
      rejected: {
        en: 'The file is marked as rejected. Correct the data, and make a new version.',
        bg: 'Файлът е отбелязан като върнат от НАП. Поправете данните и изгответе нова версия.',
      },
      again: { en: 'A new version of the file was made. Compare its sums, and file it.', bg: 'Изготвена е нова версия на файла. Сверете сумите и я подайте.' },
      nothing: { en: 'The month is marked as having nothing to file.', bg: 'Отбелязано е, че за месеца няма какво да се подаде.' },
    },
    facts: {
      filedOn: { en: 'Filed on', bg: 'Подаден на' },
      incomingNumber: { en: 'Incoming number', bg: 'Вх. №' },
      rejectedWords: { en: 'The agency said', bg: 'НАП съобщи' },
      nothing: { en: 'Agreed', bg: 'Уговорено' },
    },
  },
  refused: {
    label: { en: 'Not saved', bg: 'Не е записано' },
    words: {
      'test-shop': { en: 'This is a test shop: no file of it is made or filed.', bg: 'Това е тестов магазин: файл не се изготвя и не се подава.' },
      'no-shop': noFile,
      'no-file': noFile,
      already: filedAlready,
      filed: filedAlready,
      'not-filed': {
        en: 'The month is not marked as filed, so nothing can have been rejected.',
        bg: 'Месецът не е отбелязан като подаден, затова няма какво да бъде върнато.',
      },
      'too-late': {
        en: 'The file was filed too long ago to be made again. Ask your accountant how to correct what was filed.',
        bg: 'Файлът е подаден твърде отдавна, за да бъде изготвен наново. Попитайте счетоводителя си как да поправите подаденото.',
      },
      'has-orders': {
        en: 'The month has orders, so its file must be made and filed.',
        bg: 'В месеца има поръчки, затова за него трябва да бъде изготвен и подаден файл.',
      },
      'has-file': {
        en: 'The month has a file already. File it, and mark it as filed.',
        bg: 'За месеца вече има файл. Подайте го и го отбележете като подаден.',
      },
      'not-ours': {
        en: 'The shop was not here in this month: a file of it is made where it was then.',
        bg: 'През този месец магазинът още не е бил тук: файлът се изготвя там, където е бил тогава.',
      },
      'has-returns': {
        en: 'The month has returns, which no file can tell. Write how they were dealt with, below.',
        bg: 'В месеца има върнати суми, които никой файл не може да съобщи. Запишете долу как са уредени.',
      },
      'not-ended': { en: 'The month is not over. Try again after its end.', bg: 'Месецът още не е свършил. Опитайте след края му.' },
      making: {
        en: 'The file is being made at this moment. Open the page again in a minute.',
        bg: 'Файлът се изготвя в момента. Отворете страницата отново след минута.',
      },
      blocked: {
        en: 'The file can’t be made. The reasons, and what to do about each, are listed below.',
        bg: 'Файлът не може да бъде изготвен. Причините, и какво да направите при всяка, са изброени по-долу.',
      },
      empty: {
        en: 'The month has no orders, and the agency takes no file without orders. If your accountant agrees, mark it as nothing to file.',
        bg: 'В месеца няма поръчки, а файл без поръчки не се приема от НАП. Ако счетоводителят ви е съгласен, отбележете, че няма какво да се подаде.',
      },
      'too-often': {
        en: 'The file was made several times just now. Wait a few minutes.',
        bg: 'Файлът беше изготвян няколко пъти току-що. Изчакайте няколко минути.',
      },
      outstanding: {
        en: ({ orders }: { orders: number }): string =>
          `${counted.en(orders, 'paid order of the month is', 'paid orders of the month are')} not recorded, and not in the file. Have them recorded first, and make the file again; if it was filed without them, say so below.`,
        bg: ({ orders }: { orders: number }) =>
          `${countedText(orders, 'платена поръчка', 'платени поръчки')} за месеца не са записани и ги няма във файла. Нека първо бъдат записани и файлът изготвен отново; ако е подаден без тях, отбележете това долу.`,
      },
      outdated: {
        en: ({ version, changes }: { version: number; changes: number }): string =>
          `Version ${version} lacks ${counted.en(changes, 'change', 'changes')}. Make a new version and file that; if exactly this one was filed, say so below.`,
        bg: ({ version, changes }: { version: number; changes: number }) =>
          `След версия ${version} има ${countedText(changes, 'промяна', 'промени')}. Изгответе нова версия и подайте нея; ако вече сте подали точно тази, отбележете това долу.`,
      },
      waiting: {
        en: ({ until }: { until: string }): string =>
          `An order was deleted just now, and its replacement may be on its way. Try again after ${momentText(until, 'en')}.`,
        bg: ({ until }: { until: string }) => `Току-що беше изтрита поръчка и може да идва нейната заместваща. Опитайте след ${momentText(until, 'bg')}`,
      },
      'wrong-day': {
        en: ({ first, last }: { first: string; last: string }): string =>
          `The day of filing may be from ${dayName(first, 'en')} (when the version was made) to ${dayName(last, 'en')}.`,
        bg: ({ first, last }: { first: string; last: string }) =>
          `Денят на подаване може да е от ${dayText(first)} (когато е изготвена версията) до ${dayText(last)}`,
      },
      unreadable: {
        en: ({ field }: { field: FormField }): string =>
          field === 'incomingNumber'
            ? `Check the field “${fields.incomingNumber.en}”: one line of up to ${limits.incomingNumber} characters, without tabs.`
            : `Check the field “${fields[field].en}”: it is empty, too long, or can’t be read.`,
        bg: ({ field }: { field: FormField }) =>
          field === 'incomingNumber'
            ? `Проверете полето „${fields.incomingNumber.bg}“: един ред до ${limits.incomingNumber} знака, без табулации.`
            : `Проверете полето „${fields[field].bg}“: то е празно, твърде дълго или не може да бъде прочетено.`,
      },
    },
  },
  files: {
    title: { en: 'Files', bg: 'Файлове' },
    lead: {
      en: 'The XML file is filed as it is. The CSV file is for spreadsheets, the summary for reading; both are in Bulgarian.',
      bg: 'XML файлът се подава в НАП такъв, какъвто е. CSV файлът е за таблици, справката е за преглед.',
    },
    version: { en: 'Version', bg: 'Версия' },
    madeOn: { en: 'Made', bg: 'Изготвена' },
    size: { en: 'Bytes', bg: 'Байтове' },
    contents: { en: 'Download', bg: 'Изтегляне' },
    xml: { en: 'XML', bg: 'XML' },
    csv: { en: 'CSV', bg: 'CSV' },
    summary: { en: 'Summary', bg: 'Справка' },
    filed: { en: 'filed', bg: 'подадена' },
    none: { en: 'No file was made yet.', bg: 'Още няма изготвен файл.' },
  },
  skipped: {
    title: { en: 'Skipped numbers', bg: 'Пропуснати номера' },
    lead: { en: 'No document has these numbers, and none will get them.', bg: 'Тези номера не са дадени и няма да бъдат дадени на документ.' },
    from: { en: 'From No', bg: 'От №' },
    to: { en: 'To No', bg: 'До №' },
    on: { en: 'Skipped on', bg: 'Пропуснати на' },
    why: { en: 'Reason', bg: 'Причина' },
    more: {
      en: (hidden: number): string => `And ${counted.en(hidden, 'range that is', 'ranges that are')} not shown here.`,
      bg: (hidden: number) => `И още ${countedText(hidden, 'поредица, която не е показана', 'поредици, които не са показани')} тук.`,
    },
  },
  list: {
    title: { en: 'All months', bg: 'Всички месеци' },
    lead: { en: 'The shops that send their months to your address.', bg: 'Магазините, които изпращат месеците си на вашия адрес.' },
    month: { en: 'Month', bg: 'Месец' },
    state: { en: 'State', bg: 'Състояние' },
    orders: { en: 'Orders', bg: 'Поръчки' },
    term: { en: 'Term', bg: 'Срок' },
    open: { en: 'Open', bg: 'Отвори' },
    none: { en: 'No month has orders yet.', bg: 'Още няма месеци с поръчки.' },
    more: { en: 'The first 200 shops are shown.', bg: 'Показани са първите 200 магазина.' },
  },
  bulgarianOnly: { en: 'The summary below is in Bulgarian, as it goes with the file.', bg: '' },
  pages: {
    unknown: {
      title: { en: 'This link leads nowhere', bg: 'Тази връзка не води никъде' },
      words: {
        en: [
          'The link is incomplete, was changed, or is no longer good for your address.',
          'Open it from the last mail of the month. If that does not help, write to the merchant or to whoever runs this service.',
        ],
        bg: [
          'Връзката е непълна, променена или вече не важи за вашия адрес.',
          'Отворете я направо от последното писмо за месеца. Ако пак не се отваря, пишете на търговеца или на този, който поддържа услугата.',
        ],
      },
    },
    expired: {
      title: { en: 'This link has expired', bg: 'Тази връзка е изтекла' },
      words: {
        en: ['Links are good until 60 days after the term of their month. A new one can only be mailed to the address that this one came to.'],
        bg: ['Връзките важат до 60 дни след срока на месеца. Нова може да бъде изпратена само на адреса, на който е дошла тази.'],
      },
    },
    renewed: {
      title: { en: 'The request was taken', bg: 'Заявката е приета' },
      words: {
        en: [
          'If the address that this link came to still gets the months of this shop, a new link arrives there within minutes.',
          'A new link is mailed at most once in 15 minutes.',
        ],
        bg: [
          'Ако адресът, на който е дошла тази връзка, още получава месеците на магазина, до няколко минути там ще дойде нова.',
          'Нова връзка се изпраща най-много веднъж на 15 минути.',
        ],
      },
    },
    tooMany: {
      title: { en: 'Too many attempts', bg: 'Твърде много опити' },
      words: {
        en: ['Too many links that do not exist were opened from your address. Wait a minute, and try again.'],
        bg: ['От вашия адрес бяха отворени твърде много несъществуващи връзки. Изчакайте минута и опитайте пак.'],
      },
    },
    foreignForm: {
      title: { en: 'Not saved', bg: 'Не е записано' },
      words: {
        en: ['The request did not come from the month’s page. Open the link of the mail, and try again from there.'],
        bg: ['Заявката не дойде от страницата на месеца. Отворете връзката от писмото и опитайте пак оттам.'],
      },
    },
    method: {
      title: { en: 'Not like this', bg: 'Не става така' },
      words: {
        en: ['This address takes no such request. Open the link of the mail.'],
        bg: ['Този адрес не приема такава заявка. Отворете връзката от писмото.'],
      },
    },
    failed: {
      title: { en: 'Something broke', bg: 'Нещо се счупи' },
      words: {
        en: ['It is not known whether the request was carried out. Try again in a minute; the month’s page shows what is saved.'],
        bg: ['Не е сигурно дали заявката е изпълнена. Опитайте пак след минута; страницата на месеца показва какво е записано.'],
      },
    },
  },
  renew: { en: 'Send me a new link', bg: 'Изпратете ми нова връзка' },
});

export type PortalMessages = (typeof portalMessages)[Lang];

/** A page that says one thing. */
export type PlainPage = { title: string; words: readonly string[] };

/** Why nothing was done, for people. */
export function refusalText({ refused }: PortalMessages, refusal: ActRefusal): string {
  const text: string | ((refusal: never) => string) = refused.words[refusal.why];
  return typeof text === 'string' ? text : text(refusal as never);
}
