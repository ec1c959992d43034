import { countText } from '../../contract/local-text.ts';
import { messages } from '../../contract/messages.ts';
import { counted, form, orderCount } from '../../contract/plural.ts';
import type { Said } from '../../contract/said.ts';
import { forms, problem } from './month-forms.ts';

/** The page of a month. */
export const month = messages({
  board: { en: 'All months', bg: 'Всички месеци' },
  testShop: {
    en: 'This is a test shop: its orders are no real sales, so it has no months, and nothing is filed for it.',
    bg: 'Това е тестов магазин: поръчките му не са истински продажби, затова няма месеци и за него не се подава нищо.',
  },
  testTitle: { en: 'A test shop has no months', bg: 'Тестовият магазин няма месеци' },
  verdict: {
    open: {
      en: (day: string): string => `The month is not over. Its file is planned for ${day}; the sums are those of now.`,
      bg: (day: string) => `Месецът не е свършил. Файлът е предвиден за ${day}; сумите са към момента.`,
    },
    notMade: {
      en: (term: string): string => `The file of this month is not made yet. ${term}`,
      bg: (term: string) => `Файлът за този месец още не е изготвен. ${term}`,
    },
    outstanding: {
      en: (count: number): string =>
        `${counted.en(count, 'paid order of this month is', 'paid orders of this month are')} not recorded, and so not in the file. Resolve them first, then make the file again.`,
      bg: (count: number) =>
        `${counted.bg(count, 'платена поръчка от месеца не е записана, затова я', 'платени поръчки от месеца не са записани, затова ги')} няма във файла. Първо ги уредете, после изгответе файла отново.`,
    },
    lacks: {
      en: (count: number): string => `${counted.en(count, 'change', 'changes')} came after the file was made. Make it again before it is filed.`,
      bg: (count: number) => `След изготвянето на файла има ${counted.bg(count, 'промяна', 'промени')}. Изгответе го отново, преди да бъде подаден.`,
    },
    header: {
      companyUic: { en: 'Company number', bg: 'ЕИК' },
      nraNumber: { en: 'E-shop No', bg: 'Е-магазин №' },
      domain: { en: 'Address', bg: 'Адрес' },
      eShopType: { en: 'Kind of shop', bg: 'Вид на магазина' },
    },
    changed: {
      en: (from: string, to: string): string => `the file has ${from}, the shop ${to}`,
      bg: (from: string, to: string) => `във файла е ${from}, а магазинът е с ${to}`,
    },
    ready: {
      en: (version: number, term: string): string => `Version ${version} is made and whole. File it in the agency’s portal, then say so here. ${term}`,
      bg: (version: number, term: string) => `Версия ${version} е изготвена и пълна. Подайте я в портала на НАП и го отбележете тук. ${term}`,
    },
    check: {
      en: (version: number, term: string): string => `Version ${version} is made and whole. Compare its sums with bookkeeping, then file it. ${term}`,
      bg: (version: number, term: string) => `Версия ${version} е изготвена и пълна. Сверете сумите ѝ със счетоводството и я подайте. ${term}`,
    },
    filed: {
      en: (day: string): string => `Filed on ${day}. What is deleted or changed from now on goes into the file of a later month.`,
      bg: (day: string) => `Подаден на ${day} Каквото бъде изтрито или променено оттук нататък, влиза във файла за по-късен месец.`,
    },
    accepted: { en: (day: string): string => `Filed on ${day}, and accepted by the agency.`, bg: (day: string) => `Подаден на ${day} и приет от НАП.` },
    rejected: {
      en: 'The agency found errors in what was filed. Correct the data, make the file again, and file it again within 14 days of its message.',
      bg: 'НАП намери грешки в подаденото. Поправете данните, изгответе файла отново и го подайте в срок от 14 дни от съобщението ѝ.',
    },
    blocked: {
      en: (errors: number, rates: number): string =>
        `The file can’t be made: ${[...(errors > 0 ? [counted.en(errors, 'error', 'errors')] : []), ...(rates > 0 ? [counted.en(rates, 'missing exchange rate', 'missing exchange rates')] : [])].join(' and ')}. The summary below says what to do about each.`,
      bg: (errors: number, rates: number) =>
        `Файлът не може да бъде изготвен: ${[...(errors > 0 ? [counted.bg(errors, 'грешка', 'грешки')] : []), ...(rates > 0 ? [counted.bg(rates, 'липсващ валутен курс', 'липсващи валутни курса')] : [])].join(' и ')}. Справката по-долу казва какво да направите при всяко.`,
    },
    empty: {
      en: (term: string): string =>
        `The month has no order for a file, and the agency takes none without. Agree with the accountant what to do, and note it here. ${term}`,
      bg: (term: string) =>
        `В месеца няма поръчка за файл, а НАП не приема файл без поръчки. Уговорете със счетоводителя как да постъпите и го запишете тук. ${term}`,
    },
    returnsOnly: {
      en: (returns: number): string =>
        `The month has no order for a file, but ${counted.en(returns, 'return', 'returns')}, which no file can tell. Agree with the accountant how ${form.en(returns, 'it is', 'they are')} accounted for, and note it here: until then it stays with the months after it.`,
      bg: (returns: number) =>
        `В месеца няма поръчка за файл, но има ${counted.bg(returns, 'връщане', 'връщания')}, а никой файл не може да ги съобщи. Уговорете със счетоводителя как да бъдат отразени и го запишете тук: дотогава стоят и при следващите месеци.`,
    },
    untold: {
      en: (months: string): string => `No file tells the returns of ${months}. Note there how they were dealt with.`,
      bg: (months: string) => `Никой файл не съобщава върнатите суми за ${months}. Запишете там как са уредени.`,
    },
    nothing: {
      en: (day: string): string => `Nothing to file: so it was agreed with the accountant, noted on ${day}.`,
      bg: (day: string) => `Няма какво да се подаде: така е уговорено със счетоводителя, отбелязано на ${day}`,
    },
    notOurs: {
      en: (since: string): string => `The shop is here since ${since}: a file of this month is made where it was before.`,
      bg: (since: string) => `Магазинът е тук от ${since}: файлът за този месец се изготвя там, където е бил тогава.`,
    },
    left: {
      en: (day: string, days: number): string => `The term ends on ${day}: ${days === 0 ? 'today' : counted.en(days, 'day left', 'days left')}.`,
      bg: (day: string, days: number) => `Срокът изтича на ${day}: ${days === 0 ? 'днес' : form.bg(days, 'остава 1 ден', `остават ${days} дни`)}.`,
    },
    over: { en: (day: string): string => `The term ended on ${day}.`, bg: (day: string) => `Срокът изтече на ${day}` },
  },
  making: {
    now: {
      en: 'The file is being made. This line changes when it is done; you may leave the page.',
      bg: 'Файлът се изготвя. Този ред ще се промени, когато стане готов; можете да напуснете страницата.',
    },
    again: { en: 'Look again', bg: 'Погледни отново' },
    done: { en: 'It is not being made any more.', bg: 'Файлът вече не се изготвя.' },
    show: { en: 'Show the month as it is now', bg: 'Покажи месеца, какъвто е сега' },
  },
  facts: {
    shop: { en: 'Shop', bg: 'Магазин' },
    company: { en: 'Company', bg: 'Търговец' },
    number: { en: 'E-shop No', bg: 'Е-магазин №' },
    orders: { en: 'Orders', bg: 'Поръчки' },
    total: { en: 'With VAT', bg: 'С ДДС' },
    vat: { en: 'VAT', bg: 'ДДС' },
    returned: { en: 'Given back', bg: 'Върнати суми' },
    filedOn: { en: 'Filed on', bg: 'Подаден на' },
    incomingNumber: { en: 'Incoming number', bg: 'Входящ номер' },
    words: { en: 'The agency said', bg: 'НАП съобщи' },
  },
  checklist: { en: 'Checklist', bg: 'Какво трябва да е готово' },
  marks: {
    done: { en: 'done', bg: 'готово' },
    todo: { en: 'to do', bg: 'предстои' },
    stops: { en: 'stops it', bg: 'пречи' },
    look: { en: 'look', bg: 'вижте' },
    waits: { en: 'later', bg: 'по-късно' },
  },
  steps: {
    whole: { en: 'All paid orders are in it', bg: 'Всички платени поръчки са в него' },
    wholeDone: { en: 'orderbridge knows of no paid order that is not recorded.', bg: 'orderbridge не знае за платена поръчка, която да не е записана.' },
    wholeStops: {
      en: (count: number, sum: string): string => `${counted.en(count, 'paid order', 'paid orders')} (${sum}) ${form.en(count, 'is', 'are')} not recorded.`,
      bg: (count: number, sum: string) =>
        `${counted.bg(count, 'платена поръчка', 'платени поръчки')} (${sum}) не ${form.bg(count, 'е записана', 'са записани')}.`,
    },
    wholeWithout: {
      en: (count: number): string => `It was filed without ${orderCount.en(count)} that were not recorded; later files list them.`,
      bg: (count: number) =>
        `Подаден е без ${counted.bg(count, 'поръчка, която не беше записана; тя влиза', 'поръчки, които не бяха записани; те влизат')} в по-късен файл.`,
    },
    settle: { en: 'See them', bg: 'Вижте ги' },
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
        `Version ${version} passes the agency’s schema and every rule${warnings === 0 ? '' : `; ${counted.en(warnings, 'warning', 'warnings')} in the summary`}. One that does not is never kept.`,
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
  forms,
  problem,
  stale: {
    filed: {
      en: (version: string, day: string, number: string): string => `Filed: version ${version}, on ${day}${number === '' ? '' : `, number ${number}`}`,
      bg: (version: string, day: string, number: string) => `Подаден: версия ${version}, на ${day}${number === '' ? '' : `, вх. № ${number}`}`,
    },
    number: {
      en: (number: string, day: string): string => `Number ${number}, filed on ${day}`,
      bg: (number: string, day: string) => `Вх. № ${number}, подаден на ${day}`,
    },
    accepted: { en: 'The agency accepted it', bg: 'НАП го прие' },
    rejected: { en: (words: string): string => `Rejected: ${words}`, bg: (words: string) => `Върнат: ${words}` },
    nothing: { en: (note: string): string => `Nothing to file: ${note}`, bg: (note: string) => `Няма какво да се подаде: ${note}` },
    by: { en: (words: string, name: string): string => `${words} (${name})`, bg: (words: string, name: string) => `${words} (${name})` },
    now: {
      open: {
        en: (last: string | null): string => (last === null ? 'No file yet' : `Version ${last} is made, and not filed`),
        bg: (last: string | null) => (last === null ? 'Още няма файл' : `Версия ${last} е изготвена, но не е подадена`),
      },
      filed: {
        en: (version: string, day: string, number: string | null): string =>
          `Filed: version ${version}, on ${day}${number === null ? '' : `, number ${number}`}`,
        bg: (version: string, day: string, number: string | null) => `Подаден: версия ${version}, на ${day}${number === null ? '' : `, вх. № ${number}`}`,
      },
      rejected: {
        en: (words: string | null): string => `Rejected by the agency${words === null ? '' : `: ${words}`}`,
        bg: (words: string | null) => `Върнат от НАП${words === null ? '' : `: ${words}`}`,
      },
      nothing: { en: (note: string): string => `Nothing to file: ${note}`, bg: (note: string) => `Няма какво да се подаде: ${note}` },
    },
  },
  versions: {
    title: { en: 'Versions and files', bg: 'Версии и файлове' },
    none: { en: 'No file was made yet.', bg: 'Още няма изготвен файл.' },
    columns: {
      version: { en: 'Version', bg: 'Версия' },
      made: { en: 'Made', bg: 'Изготвена' },
      sums: { en: 'Contents', bg: 'Съдържание' },
      size: { en: 'Size', bg: 'Големина' },
      files: { en: 'Download', bg: 'Изтегляне' },
      hash: { en: 'SHA-256', bg: 'SHA-256' },
    },
    filed: { en: 'filed', bg: 'подадена' },
    sums: {
      en: (count: number, sum: string): string => `${orderCount.en(count)}, ${sum}`,
      bg: (count: number, sum: string) => `${orderCount.bg(count)}, ${sum}`,
    },
    bytes: {
      en: (bytes: number): string => `${countText(bytes, 'en')} bytes`,
      bg: (bytes: number) => `${countText(bytes, 'bg')} ${form.bg(bytes, 'байт', 'байта')}`,
    },
    xml: { en: 'XML', bg: 'XML' },
    csv: { en: 'CSV', bg: 'CSV' },
    bookkeeping: { en: 'Bookkeeping CSV', bg: 'CSV за счетоводството' },
    page: { en: 'Summary', bg: 'Справка' },
    of: { en: (kind: string, version: number): string => `${kind} of version ${version}`, bg: (kind: string, version: number) => `${kind}, версия ${version}` },
    lead: { en: 'The XML is filed as it is. The others are for reading, in Bulgarian.', bg: 'Подава се XML файлът такъв, какъвто е. Останалите са за четене.' },
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
      'month.mailed': { en: 'mailed it', bg: 'изпрати го по пощата' },
      'month.checked': { en: 'said that the sums agree with bookkeeping', bg: 'потвърди, че сумите съвпадат със счетоводството' },
      'month.filed': { en: 'said that it is filed', bg: 'отбеляза, че е подаден' },
      'month.accepted': { en: 'said that the agency accepted it', bg: 'отбеляза, че НАП го е приела' },
      'month.rejected': { en: 'said that the agency rejected it', bg: 'отбеляза, че НАП го е върнала' },
      'month.nothing': { en: 'said that there is nothing to file', bg: 'отбеляза, че няма какво да се подаде' },
      'month.returns-settled': { en: 'said how the returns were dealt with', bg: 'записа как са уредени върнатите суми' },
      'link.renewed': { en: 'a new link was mailed', bg: 'изпратена е нова връзка' },
    } as Readonly<Record<string, Said>>,
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
