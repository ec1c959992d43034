import { endedCurrencies, isTied, LEVA_PER_EURO } from '../../../contract/money.ts';
import { form } from '../../../contract/plural.ts';
import { dayText, numberText } from '../../bulgarian/bulgarian-text.ts';
import type { DoubtfulOrders } from '../../orders/doubtful-orders.ts';
import type { MissingRate } from '../../rates/missing-rates.ts';
import type { Finding } from '../audit-file.ts';
import { numeric, shorten, table, text, words } from './blocks.ts';
import { counted } from './counted.ts';
import { findingWords } from './finding-words.ts';
import type { MonthSummary } from './month-summary.ts';
import type { Entry, Section } from './summary-page.ts';

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

function entryOf(group: Group, details: readonly string[]): Entry {
  const { title, advice } = findingWords(group[0]);
  return { title, details: [...ordersNamed(group), ...details.filter((detail) => detail !== title)], advice };
}

function ordersNamed(group: Group): readonly string[] {
  const orders = [...new Set(group.flatMap(({ order }) => order ?? []))];
  if (orders.length === 0) return [];
  const count = orders.length + restOf(group);
  return [`${form.bg(count, 'Поръчка', 'Поръчки')}: ${listed(orders, count)}`];
}

function restOf(group: Group): number {
  return group.reduce((sum, { order, words: said }) => sum + (order === null ? Number(REST.exec(said)?.[1] ?? 0) : 0), 0);
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
export function doubtfulSections({ doubtful = [] }: MonthSummary): readonly Section[] {
  if (doubtful.length === 0) return [];
  const blocks = doubtful.map((one) => {
    const { orders, numbers } = one;
    return words(
      `${counted(orders, 'поръчка', 'поръчки')} ${form.bg(orders, 'е', 'са')} ${said(one)} ${form.bg(orders, 'Поръчка', 'Поръчки')}: ${listed(numbers, orders)}.`,
    );
  });
  return [{ title: 'Поръчки за проверка', tone: 'action', blocks }];
}

function said({ why, currency }: DoubtfulOrders): string {
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
