import { dayText, numberText } from '../../../contract/local-text.ts';
import { endedCurrencies, isTied, LEVA_PER_EURO } from '../../../contract/money.ts';
import { counted, form } from '../../../contract/plural.ts';
import type { QuestionableOrders } from '../../orders/questionable-orders.ts';
import type { MissingRate } from '../../rates/missing-rates.ts';
import type { Finding } from '../audit-file.ts';
import type { AuditRule } from '../format/audit-rules.ts';
import { numeric, shorten, table, text, words } from './blocks.ts';
import type { MonthSummary } from './month-summary.ts';
import type { Section, SummaryEntry } from './summary-page.ts';

/** The most orders that are named per rule. */
const NAMED = 10;
/** The last finding of a rule with more findings than are listed; see `FindingList`. */
const REST = /^(\d+) more like this/;

type Group = readonly [Finding, ...Finding[]];

/** The errors that block the file; none for a month that is not blocked. */
export function errorSections({ situation }: MonthSummary, limit: number): readonly Section[] {
  if (situation.kind !== 'blocked') return [];
  const [never = [], later = []] = [true, false].map((is) => situation.missingRates.filter((one) => (one.never === true) === is));
  return [...findingsSection(situation.errors), ...missingRatesSection(later, LATER, limit), ...missingRatesSection(never, NEVER, limit)];
}

function findingsSection(errors: readonly Finding[]): readonly Section[] {
  // To correct an error one needs its values, which only the finding's own words have.
  const entries = grouped(errors).map((group) => entryOf(group, [group[0].words]));
  return entries.length === 0 ? [] : [{ title: 'Грешки', tone: 'problem', blocks: [{ kind: 'entries', entries }] }];
}

/** The warnings, which do not block the file. */
export function warningSections({ warnings }: MonthSummary): readonly Section[] {
  if (warnings.length === 0) return [];
  const lead = words('Не пречат на подаването, но е добре да ги прегледате.');
  const entries = grouped(warnings).map((group) => entryOf(group, []));
  return [{ title: 'Предупреждения', tone: 'action', blocks: [lead, { kind: 'entries', entries }] }];
}

/** By rule, because many orders often break one for the same reason. */
function grouped(findings: readonly Finding[]): readonly Group[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const group = groups.get(finding.rule);
    if (group === undefined) groups.set(finding.rule, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

function entryOf(group: Group, details: readonly string[]): SummaryEntry {
  const { title, advice } = findingWords(group[0]);
  return { title, details: [...ordersNamed(group), ...details.filter((detail) => detail !== title)], advice };
}

function ordersNamed(group: Group): readonly string[] {
  const orders = [...new Set(group.flatMap(({ order }) => order ?? []))];
  if (orders.length === 0) return [];
  const count = orders.length + group.reduce((sum, { order, words: said }) => sum + (order === null ? Number(REST.exec(said)?.[1] ?? 0) : 0), 0);
  return [`${form.bg(count, 'Поръчка', 'Поръчки')}: ${listed(orders, count)}`];
}

const LATER = {
  title: 'Липсващи курсове',
  lead: 'За тези дни още няма курс на Българската народна банка (БНБ), затова сумите на поръчките не могат да бъдат преизчислени. В сборовете тук те не участват. Курсовете се изтеглят всеки работен ден след 18:00 ч.; за пропуснат ден се грижи този, който поддържа услугата, и той е уведомен.',
};
const NEVER = {
  title: 'Валути, за които няма да има курс',
  lead: 'Българската народна банка (БНБ) не обявява курс за тези валути и дни. В сборовете тук поръчките не участват. Изтрийте ги и ги създайте отново във валутата, в която е платено.',
};

function missingRatesSection(missing: readonly MissingRate[], { title, lead }: typeof LATER, limit: number): readonly Section[] {
  if (missing.length === 0) return [];
  const { shown, rest } = shorten({ count: missing.length, rows: missing }, limit);
  const rows = table({
    columns: [text('Валута'), text('За деня'), numeric('Поръчки'), text('Поръчка №')],
    rows: shown,
    cells: ({ currency, day, orders, numbers }) => [currency, dayText(day), numberText(String(orders)), listed(numbers, orders)],
  });
  return [{ title, tone: 'problem', blocks: [words(lead), rows, ...rest] }];
}

function listed(numbers: readonly string[], count: number): string {
  const named = numbers.slice(0, NAMED);
  const more = count - named.length;
  return `${named.join(', ')}${more > 0 ? ` и още ${numberText(String(more))}` : ''}`;
}

/** Orders that are listed, or will be, and look wrong. */
export function questionableSections({ questionable = [] }: MonthSummary): readonly Section[] {
  if (questionable.length === 0) return [];
  const blocks = questionable.map((one) => {
    const { orders, numbers } = one;
    return words(
      `${counted.bg(orders, 'поръчка', 'поръчки')} ${form.bg(orders, 'е', 'са')} ${said(one)} ${form.bg(orders, 'Поръчка', 'Поръчки')}: ${listed(numbers, orders)}.`,
    );
  });
  return [{ title: 'Поръчки за проверка', tone: 'action', blocks }];
}

function said({ why, currency }: QuestionableOrders): string {
  switch (why) {
    case 'currency-ended':
      return endedWords(currency ?? '');
    case 'transaction-missing':
      return 'чрез доставчик на платежни услуги без референтен номер на плащането, който документът по чл. 52о от Наредба Н-18 трябва да съдържа.';
    case 'transaction-shared':
      return 'с номер на плащане, който има и друга поръчка: проверете дали една продажба не е записана два пъти.';
  }
}

function endedWords(currency: string): string {
  const ended = `във валута ${currency}, с която не се плаща след ${dayText(endedCurrencies[currency] ?? '')}`;
  if (isTied(currency)) return `${ended}, и се отчита в евро по ${LEVA_PER_EURO.replace('.', ',')}: проверете дали цените не са в евро.`;
  return `${ended} и за която няма да има курс: изтрийте поръчката и я създайте във валутата, в която е платено.`;
}

const CHECK_RETURN = 'Сравнете връщането с магазина и със счетоводството си.';
const COMPARE = 'Сравнете поръчката с магазина. Ако данните ѝ са верни, изпратете справката на онзи, който поддържа услугата.';

const REPLACE = 'Изтрийте поръчката и я създайте отново с верните данни';

/** The rules about orders, their articles and returns. */
const orderFindingWords: Readonly<Record<Exclude<AuditRule, FileRule>, FindingWords>> = {
  'order.number-missing': { title: 'Поръчка без номер.', advice: `${REPLACE}.` },
  'order.number-repeated': { title: 'Две поръчки са с един и същ номер.', advice: 'Проверете дали поръчката не е записана два пъти.' },
  'order.reported-before': { title: 'Поръчката е включена във файла за друг месец.', advice: 'Една поръчка се включва само в един месец; проверете в кой.' },
  'order.document-number': { title: 'Номерът на документа не е от една до десет цифри.', advice: COMPARE },
  'order.document-number-short': { title: 'Номерът на документа е с по-малко от десет цифри.', advice: COMPARE },
  'order.document-number-repeated': { title: 'Две поръчки са с един и същ номер на документ.', advice: COMPARE },
  'order.net-mismatch': { title: 'Стойността на поръчката без ДДС не е сборът на редовете ѝ.', advice: COMPARE },
  'order.total-mismatch': { title: 'Сумите на поръчката не дават общата ѝ стойност.', advice: COMPARE },
  'order.vat-mismatch': { title: 'ДДС на поръчката не е сборът на ДДС по редовете ѝ.', advice: COMPARE },
  'order.sum-mismatch': { title: 'Общата стойност на поръчката не е сборът на редовете ѝ.', advice: COMPARE },
  'order.discount-shown': {
    title: 'Във файла има отстъпка на отделен ред.',
    advice: 'Как се чете отстъпката, не е уредено еднозначно; уверете се със счетоводителя си, че сумите са верни.',
  },
  'order.transaction-missing': { title: 'Плащане с виртуален ПОС без номер на транзакцията.', advice: `${REPLACE}, като добавите номера на транзакцията.` },
  'order.reference-missing': {
    title: 'Плащане чрез доставчик на платежни услуги без референтен номер.',
    advice: 'Документът за продажбата трябва да съдържа номера; вземете го от доставчика и питайте счетоводителя си дали да поправите файла.',
  },
  'order.processor-missing': {
    title: 'Плащане чрез доставчик на платежни услуги без данни за доставчика.',
    advice: `${REPLACE}, като добавите идентификатора и името на доставчика.`,
  },
  'order.processor-number-missing': {
    title: 'Доставчик на платежни услуги само с име, без идентификатор.',
    advice: 'Изпращайте ЕИК (за чуждестранен: номер по ДДС или регистрационен номер) и името на доставчика; питайте счетоводителя си дали да поправите файла.',
  },
  'order.pos-missing': { title: 'Плащане с виртуален ПОС без номера на терминала.', advice: 'Ако имате номера на терминала, добавете го към плащането.' },
  'order.date-unlikely': {
    title: 'Датата на поръчката или на документа е след месеца или много преди него.',
    advice: 'Проверете дали поръчката е за този месец.',
  },
  'article.name-missing': { title: 'Ред без наименование на стоката или услугата.', advice: `${REPLACE}.` },
  'article.name-cut': {
    title: 'Наименование на стока е съкратено до 200 знака.',
    advice: 'Ако съкратеното наименование не е ясно, дайте на продукта по-кратко.',
  },
  'article.sum-mismatch': { title: 'Сумата на ред не отговаря на количеството, цената и ДДС.', advice: COMPARE },
  'article.vat-mismatch': { title: 'ДДС на ред не отговаря на ставката.', advice: COMPARE },
  'article.vat-rate-unknown': {
    title: 'Ставка на ДДС, различна от 0, 9 и 20 %.',
    advice: 'Проверете със счетоводителя си дали продажбата трябва да е в този файл.',
  },
  'return.date-out-of-month': { title: 'Датата на връщане не е в месеца на файла.', advice: 'Връщането се включва в месеца, в който парите са върнати.' },
  'return.before-order': { title: 'Датата на връщане е преди датата на поръчката.', advice: CHECK_RETURN },
  'return.more-than-order': { title: 'Върната е по-голяма сума от стойността на поръчката.', advice: `${CHECK_RETURN} Възможно е да е записано два пъти.` },
  'return.order-unknown': { title: 'Върнатата поръчка не е в нито един известен файл.', advice: 'Проверете номера на поръчката.' },
  'return.negative': { title: 'Върната сума със знак минус.', advice: CHECK_RETURN },
  'return.count-mismatch': { title: 'Броят на върнатите поръчки не отговаря на списъка им.', advice: CHECK_RETURN },
  'return.total-mismatch': { title: 'Общата върната сума не е сборът на връщанията.', advice: CHECK_RETURN },
  'return.sums-missing': { title: 'Липсва броят или сборът на връщанията.', advice: CHECK_RETURN },
};
const SHOP_SETTINGS = 'Поправете данните на магазина и изгответе файла отново.';

const OUR_MISTAKE = 'Изпратете тази справка на онзи, който поддържа услугата: грешката е в самия файл, не в данните ви.';

const fileFindingWords: Readonly<Record<FileRule, FindingWords>> = {
  'file.not-xml': { title: 'Във файла няма XML.', advice: OUR_MISTAKE },
  'file.not-audit': { title: 'Файлът не е одиторски файл.', advice: OUR_MISTAKE },
  'file.not-well-formed': { title: 'Файлът нарушава правилата на XML.', advice: OUR_MISTAKE },
  'file.document-type': { title: 'Файлът съдържа недопустима декларация DOCTYPE.', advice: OUR_MISTAKE },
  'file.upper-case': { title: 'Имената на елементите са с главни букви.', advice: OUR_MISTAKE },
  'file.namespace': { title: 'Елементите са в пространство от имена, каквото схемата не допуска.', advice: OUR_MISTAKE },
  'file.too-large': { title: 'Поръчка във файла е прекалено голяма, за да бъде проверена.', advice: OUR_MISTAKE },
  'file.no-orders': {
    title: 'Във файла няма нито една поръчка.',
    advice: 'Попитайте счетоводителя си: схемата на НАП не допуска файл без поръчки, дори когато има връщания.',
  },
  'file.sales-removed': {
    title: 'Данните на изтрити поръчки, които файлът трябва да съдържа, са премахнати една година след срока.',
    advice: 'Подайте последната изготвена версия, или попитайте счетоводителя си.',
  },
  'file.document-number-gap': {
    title: 'В поредицата на номерата на документи има пропуск.',
    advice: 'Изяснете какво е станало с липсващите номера. Възможно е да ги е използвал друг магазин на същия търговец.',
  },
  'encoding.unknown': { title: 'Обявеното кодиране не съществува.', advice: OUR_MISTAKE },
  'encoding.mismatch': { title: 'Файлът не е в кодирането, което обявява.', advice: OUR_MISTAKE },
  'encoding.not-windows-1251': { title: 'Файлът не е в кодиране windows-1251.', advice: OUR_MISTAKE },
  'encoding.byte-order-mark': { title: 'Файлът започва с излишен знак за реда на байтовете.', advice: OUR_MISTAKE },
  'schema.violation': { title: 'Файлът не отговаря на схемата на НАП.', advice: OUR_MISTAKE },
  'header.company-number': { title: 'ЕИК на търговеца не е верен.', advice: SHOP_SETTINGS },
  'header.empty': { title: 'Липсва номерът или адресът на електронния магазин.', advice: SHOP_SETTINGS },
  'header.shop-number': {
    title: 'Номерът на електронния магазин не е RF и седем цифри.',
    advice: 'Сравнете го с номера, който НАП е дала на магазина, и ако е грешен, го поправете и изгответе файла отново.',
  },
  'header.month-not-ended': { title: 'Файлът е изготвен, преди месецът да е приключил.', advice: 'Изгответе го отново след края на месеца.' },
  'header.after-deadline': {
    title: 'Файлът е изготвен след крайния срок за подаване.',
    advice: 'Подайте го веднага и се посъветвайте със счетоводителя си: корекции се приемат само в срока.',
  },
};

const bulgarian: ReadonlyMap<string, FindingWords> = new Map(Object.entries({ ...fileFindingWords, ...orderFindingWords }));

/** A finding in Bulgarian; in its own words if this version does not know its rule. */
export function findingWords({ rule, words, advice }: Pick<Finding, 'rule' | 'words' | 'advice'>): FindingWords {
  return bulgarian.get(rule) ?? { title: words, advice };
}

/** A finding for the merchant: what is wrong, and what to do. */
type FindingWords = { title: string; advice: string };

/** The rules about the file as a whole. */
type FileRule = Extract<AuditRule, `${'file' | 'encoding' | 'schema' | 'header'}.${string}`>;
