import type { AuditArticle, AuditOrder, Finding, MonthReturn } from '../../../../src/service/audit/audit-file.ts';
import type { Excerpt, FileVersion, MonthSituation, MonthSummary } from '../../../../src/service/audit/summary/month-summary.ts';
import { MonthTally } from '../../../../src/service/audit/summary/month-tally.ts';
import { summaryText } from '../../../../src/service/audit/summary/summary-text.ts';
import type { ExchangeRate } from '../../../../src/service/rates/exchange-rate.ts';

/** The values that the tests of a month's summary start from; amounts are worked out by hand. */
export const cup: AuditArticle = { name: 'Чаша за кафе', quantity: '2.00', price: '10.00', vatRate: 20, vat: '3.60', sum: '21.60' };
const book: AuditArticle = { name: 'Книга', quantity: '1.00', price: '100.00', vatRate: 9, vat: '9.00', sum: '109.00' };

/** Two cups with 2.00 off, and a book: 120.00 − 2.00 + 12.60 = 130.60. */
export function order(changes: Partial<AuditOrder> = {}): AuditOrder {
  return {
    number: '#1042',
    orderedOn: '2026-10-05',
    documentNumber: '0000000042',
    documentedOn: '2026-10-06',
    articles: [cup, book],
    net: '120.00',
    discount: '2.00',
    vat: '12.60',
    total: '130.60',
    payment: 4,
    posNumber: null,
    transaction: 'pi_1',
    processor: 'Stripe',
    ...changes,
  };
}

/** A book paid on delivery: 100.00 + 9.00 = 109.00. */
export function bookOrder(changes: Partial<AuditOrder> = {}): AuditOrder {
  const amounts = { articles: [book], net: '100.00', discount: '0.00', vat: '9.00', total: '109.00' };
  return order({
    number: '#1043',
    documentNumber: '0000000043',
    documentedOn: '2026-10-07',
    payment: 3,
    transaction: null,
    processor: null,
    ...amounts,
    ...changes,
  });
}

export const refund: MonthReturn = { number: '#0981', amount: '45.50', returnedOn: '2026-10-12', way: 1, byRate: null };

export const file: FileVersion = {
  name: 'RF0000123-2026-10.xml',
  version: 1,
  createdAt: '2026-11-10T04:05:00.000Z',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  bytes: 1234567,
};

export const dollar: ExchangeRate = { currency: 'USD', base: 'EUR', multiply: '1', divide: '1.1761', publishedOn: '2026-10-09', source: 'BNB' };

export function finding(changes: Partial<Finding> = {}): Finding {
  return { level: 'warning', rule: 'a.rule', line: null, order: '#1042', words: 'Нещо изглежда странно.', advice: 'Проверете го.', ...changes };
}

export function excerpt<Row>(...rows: Row[]): Excerpt<Row> {
  return { count: rows.length, rows };
}

export const situations: Readonly<Record<MonthSituation['kind'], MonthSituation>> = {
  open: { kind: 'open', generatesOn: '2026-11-10' },
  generated: { kind: 'generated', file },
  filed: { kind: 'filed', file, filedOn: '2026-11-11' },
  rejected: { kind: 'rejected', file },
  blocked: { kind: 'blocked', errors: [finding({ level: 'error', rule: 'order.transaction-missing' })], missingRates: [] },
  empty: { kind: 'empty' },
  'returns-only': { kind: 'returns-only' },
  test: { kind: 'test' },
  nothing: { kind: 'nothing', note: 'Без продажби; уточнено със счетоводителя', settledOn: '2026-11-11' },
  'not-ours': { kind: 'not-ours', since: '2026-11' },
};

type Content = { orders?: readonly AuditOrder[]; returns?: readonly MonthReturn[] };

/** October 2026 of a shop, with a file that waits to be filed. */
export function month(changes: Partial<MonthSummary> = {}, { orders = [order(), bookOrder()], returns = [] }: Content = {}): MonthSummary {
  const tally = new MonthTally();
  for (const one of orders) tally.add(one);
  for (const one of returns) tally.addReturn(one);
  return {
    shop: {
      id: '0d9c0a8e-6c1c-4f62-9b53-0a3c6f6f7d11',
      name: 'Чаши',
      companyName: 'Чаши ЕООД',
      companyId: '206770508',
      shopNumber: 'RF0000123',
      domain: 'cups.example',
    },
    month: '2026-10',
    currency: 'EUR',
    deadline: '2026-11-16',
    writtenAt: '2026-11-10T04:05:00.000Z',
    situation: situations.generated,
    figures: tally.figures(),
    returns: excerpt(...returns),
    voided: excerpt(),
    foreign: excerpt(),
    leftOut: { orders: 0, total: '0.00' },
    changes: excerpt(),
    warnings: [],
    ...changes,
  };
}

/** What a person reads, with plain blanks. */
export function textOf(summary: MonthSummary): string {
  return summaryText(summary).replaceAll('\u00a0', ' ');
}
