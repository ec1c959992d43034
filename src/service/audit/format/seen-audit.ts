import type { AuditArticle, AuditHeader, AuditOrder, AuditReturn } from '../audit-file.ts';
import { ownText } from './finding-list.ts';

type Seen<T> = { readonly [Key in keyof T]: T[Key] | null };

/** The readable parts of a file of any origin. Null: absent, or unreadable, which the schema reports. Amounts have two decimals at most. */
export type SeenHeader = Seen<AuditHeader>;
export type SeenArticle = Seen<AuditArticle>;
export type SeenOrder = Seen<Omit<AuditOrder, 'articles'>> & { readonly articles: readonly SeenArticle[] };
export type SeenReturn = Seen<AuditReturn>;

/** `r_ord` and `r_total` as they are written. */
export type SeenReturnSums = { count: number | null; total: string | null };

/** The texts of an element's children by their names. */
export type Fields = ReadonlyMap<string, string>;

export function seenHeader(fields: Fields): SeenHeader {
  const shopType = fields.get('e_shop_type')?.trim();
  return {
    companyId: fields.get('eik') ?? null,
    shopNumber: fields.get('e_shop_n') ?? null,
    domain: fields.get('domain_name') ?? null,
    shopType: shopType === '1' ? 1 : shopType === '2' ? 2 : null,
    createdOn: dayOf(fields.get('creation_date')),
    month: dayOf(`${fields.get('god')?.trim()}-${fields.get('mon')?.trim()}-01`)?.slice(0, 7) ?? null,
  };
}

export function seenOrder(fields: Fields, articles: readonly Fields[]): SeenOrder {
  return {
    number: fields.get('ord_n') ?? null,
    orderedOn: dayOf(fields.get('ord_d')),
    documentNumber: fields.get('doc_n')?.trim() ?? null,
    documentedOn: dayOf(fields.get('doc_date')),
    articles: articles.map(seenArticle),
    net: amountOf(fields.get('ord_total1')),
    discount: amountOf(fields.get('ord_disc')),
    vat: amountOf(fields.get('ord_vat')),
    total: amountOf(fields.get('ord_total2')),
    payment: wholeOf(fields.get('paym')),
    posNumber: fields.get('pos_n') || null,
    transaction: fields.get('trans_n') || null,
    processor: fields.get('proc_id') || null,
  };
}

function seenArticle(fields: Fields): SeenArticle {
  return {
    name: fields.get('art_name') ?? null,
    quantity: amountOf(fields.get('art_quant')),
    price: amountOf(fields.get('art_price')),
    vatRate: wholeOf(fields.get('art_vat_rate')),
    vat: amountOf(fields.get('art_vat')),
    sum: amountOf(fields.get('art_sum')),
  };
}

export function seenReturn(fields: Fields): SeenReturn {
  return {
    number: fields.get('r_ord_n') ?? null,
    amount: amountOf(fields.get('r_amount')),
    returnedOn: dayOf(fields.get('r_date')),
    way: wholeOf(fields.get('r_paym')),
  };
}

export function seenReturnSums(fields: Fields): SeenReturnSums {
  return { count: wholeOf(fields.get('r_ord')), total: amountOf(fields.get('r_total')) };
}

/** xs:decimal with two decimals at most as plain decimal text: "+5", ".5" and "24.960" become "5", "0.5" and "24.96". */
function amountOf(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (/^-?\d+\.\d\d$/.test(text)) return text;
  const [, sign, whole, fraction = ''] = /^([+-]?)(\d*)(?:\.(\d*?)0*)?$/.exec(text.trim()) ?? [];
  if (whole === undefined || fraction.length > 2 || !/\d/.test(text)) return null;
  return `${sign === '-' ? '-' : ''}${whole || '0'}${fraction === '' ? '' : `.${fraction}`}`;
}

function wholeOf(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? '';
  return /^[+-]?\d{1,15}$/.test(trimmed) ? Number(trimmed) : null;
}

const knownDays = new Map<string, string | null>();
const MOST_DAYS = 1000;

/** xs:date without its zone; null for days that the calendar does not have. A month has few days, so they are cached. */
function dayOf(text: string | undefined): string | null {
  const key = text ?? '';
  const known = knownDays.get(key);
  if (known !== undefined || key.length > 30) return known ?? null;
  if (knownDays.size >= MOST_DAYS) knownDays.clear();
  const day = readDay(key);
  knownDays.set(ownText(key), day);
  return day;
}

function readDay(text: string): string | null {
  const day = /^\s*(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?\s*$/.exec(text)?.[1];
  if (day === undefined) return null;
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day ? null : day;
}
