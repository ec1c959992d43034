import { dayText, monthName, sumText } from '../../../contract/local-text.ts';
import type { Lang, LocalizedText } from '../../../contract/messages.ts';
import { counted, countText } from '../../../contract/plural.ts';
import type { MonthSummary, SummaryShop } from './month-summary.ts';
import type { MonthFigures } from './month-tally.ts';
import type { Fact } from './summary-page.ts';

const names = {
  merchant: { en: 'Merchant', bg: 'Търговец' },
  companyUic: { en: 'Company number (ЕИК)', bg: 'ЕИК' },
  nraNumber: { en: 'E-shop No', bg: 'Е-магазин №' },
  domain: { en: 'Address', bg: 'Адрес' },
  eShopType: { en: 'Kind of shop', bg: 'Вид на магазина' },
  validFrom: { en: 'These count from', bg: 'Тези данни важат от' },
  validUntil: { en: 'These count until', bg: 'Тези данни важат до' },
  orders: { en: 'Orders', bg: 'Поръчки' },
  total: { en: 'Total with VAT', bg: 'Общо с ДДС' },
  vat: { en: 'VAT', bg: 'ДДС' },
  returned: { en: 'Money given back', bg: 'Върнати суми' },
  filedOn: { en: 'Filed on', bg: 'Подаден на' },
  incomingNumber: { en: 'Incoming number', bg: 'Входящ номер' },
  rejectedWords: { en: 'The agency said', bg: 'НАП съобщи' },
  note: { en: 'Agreed', bg: 'Уговорено' },
} as const satisfies Record<string, LocalizedText>;

export function factName(fact: keyof typeof names, lang: Lang): string {
  return names[fact][lang];
}

/** Facts by their names; those without a value are left out. */
function factsOf(values: { readonly [name in keyof typeof names]?: string | null | undefined }, lang: Lang): Fact[] {
  return Object.entries(values).flatMap(([name, value]) => (value == null ? [] : [{ label: names[name as keyof typeof names][lang], value }]));
}

/** Whose month it is, as its file says it. */
export function shopFacts({ companyName, companyId, shopNumber, domain, validFrom, validUntil }: SummaryShop, lang: Lang): Fact[] {
  const shown = (month: string | undefined) => (month === undefined ? null : monthName(month, lang));
  const now = { merchant: companyName, companyUic: companyId, nraNumber: shopNumber, domain };
  return factsOf({ ...now, validFrom: shown(validFrom), validUntil: shown(validUntil) }, lang);
}

type Figures = Pick<MonthFigures, 'orders' | 'withoutRate' | 'total' | 'vat' | 'returns' | 'returned'>;

/** The most important figures of a month with orders. */
export function figureFacts({ orders, withoutRate = 0, total, vat, returns, returned }: Figures, currency: string, lang: Lang): Fact[] {
  if (orders === 0) return [];
  const [all, without] = [countText(orders, lang), countText(withoutRate, lang)];
  const left = { en: `${all}, ${without} of them without a rate and in no sum`, bg: `${all}, от които ${without} без курс и извън сборовете` };
  const sum = (amount: string) => sumText(amount, currency, lang);
  const given = { en: counted.en(returns, 'return', 'returns'), bg: counted.bg(returns, 'връщане', 'връщания') };
  return [
    ...factsOf({ orders: withoutRate === 0 ? all : left[lang], total: sum(total), vat: sum(vat) }, lang),
    { label: returns === 0 ? factName('returned', lang) : given[lang], value: sum(returned) },
  ];
}

/** When a month was filed, and what the agency or the accountant said of it. */
export function saidFacts({ situation }: MonthSummary, lang: Lang): Fact[] {
  if (situation.kind === 'filed') return factsOf({ filedOn: dayText(situation.filedOn, lang), incomingNumber: situation.incomingNumber }, lang);
  if (situation.kind === 'rejected') return factsOf({ rejectedWords: situation.words }, lang);
  return situation.kind === 'nothing' ? factsOf({ note: situation.note }, lang) : [];
}

/** " E-shop No: RF0000123 → RF9999991." */
export function headerWords({ rows }: MonthSummary['changes'], lang: Lang): string {
  return rows.map((row) => (row.change === 'header' ? ` ${factName(row.field, lang)}: ${row.from} → ${row.to}.` : '')).join('');
}
