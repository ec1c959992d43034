import { type LocalizedText, messages } from '../../contract/messages.ts';
import { counted, orderCount } from '../../contract/plural.ts';
import { actMessages, listMessages } from '../../service/audit/summary/month-messages.ts';

/** The page of a month. */
export const month = messages({
  board: { en: 'All months', bg: 'Всички месеци' },
  testShop: {
    en: 'This is a test shop: its orders are no real sales, so it has no months, and nothing is filed for it.',
    bg: 'Това е тестов магазин: поръчките му не са истински продажби, затова няма месеци и за него не се подава нищо.',
  },
  testTitle: { en: 'A test shop has no months', bg: 'Тестовият магазин няма месеци' },
  making: {
    now: {
      en: 'The file is being made. This line changes when it is done; you may leave the page.',
      bg: 'Файлът се изготвя. Този ред ще се промени, когато стане готов; можете да напуснете страницата.',
    },
    again: { en: 'Look again', bg: 'Погледни отново' },
    done: { en: 'It is no longer being made.', bg: 'Файлът вече не се изготвя.' },
    show: { en: 'Show the month as it is now', bg: 'Покажи месеца, какъвто е сега' },
  },
  shop: { en: 'Shop', bg: 'Магазин' },
  checklist: { en: 'Checklist', bg: 'Какво трябва да е готово' },
  marks: {
    done: { en: 'done', bg: 'готово' },
    todo: { en: 'to do', bg: 'предстои' },
    stops: { en: 'blocking', bg: 'пречи' },
    look: { en: 'check', bg: 'вижте' },
    waits: { en: 'later', bg: 'по-късно' },
  },
  steps: {
    whole: { en: 'All paid orders are in it', bg: 'Всички платени поръчки са в него' },
    wholeDone: { en: 'orderbridge knows of no paid order that is not recorded.', bg: 'orderbridge не знае за платена поръчка, която да не е записана.' },
    wholeWithout: {
      en: (count: number): string => `It was filed without ${orderCount.en(count)} that were not recorded; later files list them.`,
      bg: (count: number) =>
        `Подаден е без ${counted.bg(count, 'поръчка, която не беше записана; тя влиза', 'поръчки, които не бяха записани; те влизат')} в по-късен файл.`,
    },
    settle: { en: 'See them', bg: 'Покажи ги' },
    sums: { en: 'The sums agree with bookkeeping', bg: 'Сумите съвпадат със счетоводството' },
    sumsOf: { en: (version: number): string => `Version ${version}:`, bg: (version: number) => `Версия ${version}:` },
    sumsNone: { en: 'There is no file to compare yet.', bg: 'Още няма файл за сверяване.' },
    sumsLead: {
      en: 'Compare the sums with your bookkeeping; the bookkeeping CSV has them by day, VAT rate and payment.',
      bg: 'Сверете сумите със счетоводството си; в CSV за счетоводството те са по дни, ставки на ДДС и плащания.',
    },
    file: { en: 'The file passes schema and rules', bg: 'Файлът отговаря на схемата и правилата' },
    fileDone: {
      en: (version: number, warnings: number): string =>
        `Version ${version} passes the agency’s schema and every rule${warnings === 0 ? '' : `; ${counted.en(warnings, 'warning', 'warnings')} in the summary`}. A file that does not pass is not kept.`,
      bg: (version: number, warnings: number) =>
        `Версия ${version} отговаря на схемата на НАП и на всички правила${warnings === 0 ? '' : `; ${counted.bg(warnings, 'предупреждение', 'предупреждения')} в справката`}. Файл, който не отговаря, не се пази.`,
    },
    fileNone: { en: (day: string): string => `No file yet. It is made by itself on ${day}.`, bg: (day: string) => `Още няма файл. Изготвя се сам на ${day}` },
    fileLate: { en: 'No file yet, and its day has passed.', bg: 'Още няма файл, а денят му е минал.' },
    handed: { en: 'Handed over', bg: 'Предаден' },
    handedSent: {
      en: (count: number): string => `Mailed to ${counted.en(count, 'recipient', 'recipients')}.`,
      bg: (count: number) => `Изпратен по пощата на ${counted.bg(count, 'получател', 'получатели')}.`,
    },
    handedWaiting: { en: 'The mail waits to be sent.', bg: 'Писмото чака да бъде изпратено.' },
    handedFailed: {
      en: 'A mail could not be sent. `orderbridge service mails list` says why.',
      bg: 'Писмо не можа да бъде изпратено. `orderbridge service mails list` казва защо.',
    },
    handedNone: { en: 'Nothing is known of a mail of this version.', bg: 'Не е известно тази версия да е изпращана по пощата.' },
    handedNoFile: { en: 'There is no file to hand over yet.', bg: 'Още няма файл за предаване.' },
    filed: { en: 'Filed with the agency', bg: 'Подаден в НАП' },
    filedNot: {
      en: 'A person files it in the agency’s portal, with a qualified signature, and says so here.',
      bg: 'Файлът се подава от човек в портала на НАП, с КЕП, и се отбелязва тук.',
    },
    filedNoFile: { en: 'There is no file to be filed yet.', bg: 'Още няма файл за подаване.' },
    answer: { en: 'Accepted by the agency', bg: 'Приет от НАП' },
    answerNot: { en: 'It is not filed yet.', bg: 'Още не е подаден.' },
    answerWaits: {
      en: 'The agency’s message comes after filing. Read it in its portal, and say what it says.',
      bg: 'Съобщението на НАП идва след подаването. Прочетете го в портала ѝ и отбележете какво гласи.',
    },
    answerDone: { en: 'The agency accepted it.', bg: 'НАП го прие.' },
    answerRejected: { en: 'The agency rejected it.', bg: 'НАП го върна.' },
  },
  said: { en: (name: string): string => `said by ${name}`, bg: (name: string) => `отбелязано от ${name}` },
  act: actMessages,
  lists: listMessages,
  notDone: { en: 'Not done', bg: 'Не е направено' },
  makeNow: { en: 'Don’t wait for the replacement of an order that was just deleted', bg: 'Без изчакване на поръчката, която замества току-що изтрита' },
  checked: { en: 'The sums agree', bg: 'Сумите съвпадат' },
  mail: { en: 'Mail it', bg: 'Изпрати по пощата' },
  mailAgain: { en: 'Mail it again', bg: 'Изпрати отново по пощата' },
  mailTo: {
    en: (recipients: string): string => `To ${recipients}, with the file and a link to the month; a link that has expired is made anew.`,
    bg: (recipients: string) => `До ${recipients}, с файла и връзка към месеца; изтекла връзка се подновява.`,
  },
  accepted: { en: 'The agency accepted it', bg: 'НАП го прие' },
  incomingHint: { en: 'It may come later: it can be added and corrected.', bg: 'Може да дойде по-късно: добавя се и се поправя и след това.' },
  stale: {
    filed: {
      en: (version: string, day: string, number: string): string => `Filed: version ${version}, on ${day}${number === '' ? '' : `, number ${number}`}`,
      bg: (version: string, day: string, number: string) => `Подаден: версия ${version}, на ${day}${number === '' ? '' : `, вх. № ${number}`}`,
    },
    number: {
      en: (number: string, day: string): string => `Number ${number}, filed on ${day}`,
      bg: (number: string, day: string) => `Вх. № ${number}, подаден на ${day}`,
    },
    rejected: { en: (words: string): string => `Rejected: ${words}`, bg: (words: string) => `Върнат: ${words}` },
    nothing: { en: (note: string): string => `Nothing to file: ${note}`, bg: (note: string) => `Няма какво да се подаде: ${note}` },
    by: { en: (words: string, name: string): string => `${words} (${name})`, bg: (words: string, name: string) => `${words} (${name})` },
    open: {
      en: (last: number | null): string => (last === null ? 'No file yet' : `Version ${last} is made, and not filed`),
      bg: (last: number | null) => (last === null ? 'Още няма файл' : `Версия ${last} е изготвена, но не е подадена`),
    },
  },
  contents: { en: 'Contents', bg: 'Съдържание' },
  sums: {
    en: (count: number, sum: string): string => `${orderCount.en(count)}, ${sum}`,
    bg: (count: number, sum: string) => `${orderCount.bg(count)}, ${sum}`,
  },
  diff: {
    title: {
      en: (first: number, second: number): string => `Differences between version ${first} and ${second}`,
      bg: (first: number, second: number) => `Разлики между версия ${first} и версия ${second}`,
    },
    choose: { en: 'Compare', bg: 'Сравни' },
    first: { en: 'Version', bg: 'Версия' },
    second: { en: 'with version', bg: 'с версия' },
    equal: { en: 'The two files say the same.', bg: 'Двата файла казват едно и също.' },
    same: {
      en: (count: number, returns: number): string => `${orderCount.en(count)} and ${counted.en(returns, 'return', 'returns')} agree.`,
      bg: (count: number, returns: number) => `Съвпадат ${orderCount.bg(count)} и ${counted.bg(returns, 'връщане', 'връщания')}.`,
    },
    header: { en: 'Header', bg: 'Заглавна част' },
    sums: { en: 'Sums', bg: 'Суми' },
    orders: { en: 'Orders', bg: 'Поръчки' },
    returns: { en: 'Returns', bg: 'Връщания' },
    columns: {
      what: { en: 'What', bg: 'Какво' },
      field: { en: 'Field', bg: 'Поле' },
      first: { en: 'before', bg: 'преди' },
      second: { en: 'after', bg: 'след' },
    },
    article: { en: (name: string): string => `article ${name}`, bg: (name: string) => `артикул ${name}` },
    order: {
      en: (number: string, document: string): string => `${number}, document ${document}`,
      bg: (number: string, document: string) => `${number}, документ ${document}`,
    },
    nothing: { en: 'nothing', bg: 'няма' },
    more: { en: (count: number): string => `${count} more are not shown.`, bg: (count: number) => `Още ${count} не са показани.` },
    tooLarge: {
      en: 'These files are too large to be compared here. Download both, and compare them with `orderbridge service audit diff`.',
      bg: 'Тези файлове са твърде големи, за да бъдат сравнени тук. Изтеглете двата и ги сравнете с `orderbridge service audit diff`.',
    },
    missingTitle: { en: 'There is no such version', bg: 'Няма такава версия' },
    missing: { en: 'A version that was to be compared does not exist.', bg: 'Версия, която трябваше да бъде сравнена, не съществува.' },
    back: { en: 'To the month', bg: 'Към месеца' },
  },
  history: {
    title: { en: 'What was done', bg: 'Какво е направено' },
    none: { en: 'Nobody did anything to this month yet.', bg: 'Още никой не е правил нищо по този месец.' },
    acts: {
      'month.generated': { en: 'made a version of the file', bg: 'изготви версия на файла' },
      'month.downloaded': { en: 'downloaded its files with those of other shops', bg: 'изтегли файловете му заедно с тези на други магазини' },
      'month.mailed': { en: 'mailed it', bg: 'изпрати го по пощата' },
      'month.checked': { en: 'said that the sums agree with bookkeeping', bg: 'потвърди, че сумите съвпадат със счетоводството' },
      'month.filed': { en: 'said that it is filed', bg: 'отбеляза, че е подаден' },
      'month.accepted': { en: 'said that the agency accepted it', bg: 'отбеляза, че НАП го е приела' },
      'month.rejected': { en: 'said that the agency rejected it', bg: 'отбеляза, че НАП го е върнала' },
      'month.nothing': { en: 'said that there is nothing to file', bg: 'отбеляза, че няма какво да се подаде' },
      'month.returns-settled': { en: 'said how the returns were dealt with', bg: 'записа как са уредени върнатите суми' },
      'link.renewed': { en: 'a new link was mailed', bg: 'изпратена е нова връзка' },
    } as Readonly<Record<string, LocalizedText>>,
    version: { en: (version: number): string => `version ${version}`, bg: (version: number) => `версия ${version}` },
    program: { en: 'orderbridge', bg: 'orderbridge' },
    key: { en: 'somebody by an API key', bg: 'някой с API ключ' },
    link: { en: 'somebody by the link of a mail', bg: 'някой с връзка от писмо' },
    cli: { en: (who: string): string => `${who}, by a command`, bg: (who: string) => `${who}, с команда` },
    gone: { en: 'somebody who was removed', bg: 'някой, който вече е премахнат' },
  },
  summary: {
    title: { en: 'The summary, as it goes with the file', bg: 'Справката, както върви с файла' },
    bulgarian: { en: 'It is in Bulgarian, as the law’s files are.', bg: 'На български е, както и файловете по закон.' },
  },
  seeOnly: {
    en: 'Your role sees months; owners, operators and accountants mark them.',
    bg: 'Вашата роля вижда месеците; отбелязват ги собственици, оператори и счетоводители.',
  },
});
