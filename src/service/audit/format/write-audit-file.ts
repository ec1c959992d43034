import { formatMoney, parseMoney } from '../../../contract/money.ts';
import type { AuditArticle, AuditHeader, AuditOrder, AuditReturn, AuditSums } from '../audit-file.ts';
import { AuditTally } from './audit-tally.ts';
import { ENCODING, encodeText, escapeText, fitText } from './windows-1251.ts';

export type AuditContent = {
  header: AuditHeader;
  orders: AsyncIterable<RenderedOrder> | Iterable<RenderedOrder>;
  /** Read twice, so no stream: the file names their count before it lists them. */
  returns: readonly AuditReturn[];
};

/** Takes the next bytes of a file; a promise is awaited. */
type WriteBlock = (block: Buffer) => Promise<void> | void;

/** Large enough to be few, small enough not to wait for. */
const BLOCK_BYTES = 131_072;

/**
 * Writes an audit file of Ordinance N-18, annex 38, in windows-1251: lower-case names in the order of the law's table, amounts with two decimals.
 * One order is in memory at a time. Texts are cut at the schema's limits. Throws RangeError on a value that can't be written, and if there is no
 * order: the agency's schema allows no file without one.
 */
export async function writeAuditFile({ header, orders, returns }: AuditContent, write: WriteBlock): Promise<AuditSums> {
  const tally = new AuditTally();
  let pending = [beginning(header)];
  let size = 0;
  for await (const order of orders) {
    tally.order(order);
    const bytes = orderBytes(order);
    pending.push(bytes);
    size += bytes.length;
    if (size < BLOCK_BYTES) continue;
    await write(Buffer.concat(pending));
    [pending, size] = [[], 0];
  }
  for (const one of returns) tally.return(one);
  const sums = tally.sums();
  if (sums.orders === 0) throw new RangeError('there is no order: the audit file of a month without orders can’t be written');
  await write(Buffer.concat([...pending, encodeText(`</order>\n${returnsXml(returns, sums)}</audit>\n`)]));
  return sums;
}

/** Everything before the first order. */
export function beginning(header: AuditHeader): Buffer {
  return encodeText(`<?xml version="1.0" encoding="${ENCODING}"?>\n<audit>\n${headerXml(header)}<order>\n`);
}

function returnsXml(returns: readonly AuditReturn[], sums: AuditSums): string {
  const list = returns.length === 0 ? '' : `<rorder>\n${returns.map(returnXml).join('')}</rorder>\n`;
  return `<r_ord>${sums.returns}</r_ord>\n${list}<r_total>${sums.returned}</r_total>\n`;
}

type Limited = keyof typeof auditLimits;

/** The elements before the list of orders, in the order of the law's table. Throws RangeError on values that can't be written. */
export function headerXml({ companyId, shopNumber, domain, shopType, createdOn, month }: AuditHeader): string {
  return [
    `<eik>${escapeText(fitText(companyId, companyId.length))}</eik>`,
    text('e_shop_n', shopNumber),
    text('domain_name', domain),
    `<e_shop_type>${shopType}</e_shop_type>`,
    `<creation_date>${day(createdOn)}</creation_date>`,
    `<mon>${day(`${month}-01`).slice(5, 7)}</mon>`,
    `<god>${month.slice(0, 4)}</god>\n`,
  ].join('\n');
}

/** An order that may have been rendered already: the bytes that the schema check sees are those of the file. */
export type RenderedOrder = AuditOrder & { readonly bytes?: Buffer };

/** The order with its XML in windows-1251. Throws RangeError on values that can't be written. */
export function rendered(order: AuditOrder): RenderedOrder {
  return { ...order, bytes: orderBytes(order) };
}

/** The XML of an order in windows-1251. Throws RangeError on values that can't be written. */
export function orderBytes(order: RenderedOrder): Buffer {
  return order.bytes ?? encodeText(orderXml(order));
}

/** One order, one line per article. */
function orderXml(order: AuditOrder): string {
  return (
    `<orderenum>${text('ord_n', order.number)}<ord_d>${day(order.orderedOn)}</ord_d>` +
    `<doc_n>${documentNumber(order.documentNumber)}</doc_n><doc_date>${day(order.documentedOn)}</doc_date><art>\n` +
    `${order.articles.map(articleXml).join('')}</art>` +
    `<ord_total1>${amount(order.net)}</ord_total1><ord_disc>${amount(order.discount)}</ord_disc>` +
    `<ord_vat>${amount(order.vat)}</ord_vat><ord_total2>${amount(order.total)}</ord_total2><paym>${whole(order.payment)}</paym>` +
    `${optional('pos_n', order.posNumber)}${optional('trans_n', order.transaction)}${optional('proc_id', order.processor)}</orderenum>\n`
  );
}

function articleXml({ name, quantity, price, vatRate, vat, sum }: AuditArticle): string {
  return (
    `<artenum>${text('art_name', name)}<art_quant>${amount(quantity)}</art_quant><art_price>${amount(price)}</art_price>` +
    `<art_vat_rate>${whole(vatRate)}</art_vat_rate><art_vat>${amount(vat)}</art_vat><art_sum>${amount(sum)}</art_sum></artenum>\n`
  );
}

/** One return, on one line. Throws RangeError on values that can't be written. */
export function returnXml({ number, amount: given, returnedOn, way }: AuditReturn): string {
  return (
    `<rorderenum>${text('r_ord_n', number)}<r_amount>${amount(given)}</r_amount>` +
    `<r_date>${day(returnedOn)}</r_date><r_paym>${whole(way)}</r_paym></rorderenum>\n`
  );
}

function text(name: Limited, value: string): string {
  return `<${name}>${escapeText(fitText(value, auditLimits[name]))}</${name}>`;
}

function optional(name: Limited, value: string | null): string {
  return value === null || value === '' ? '' : text(name, value);
}

/** Two decimals exactly; rounding is up to the caller. */
function amount(value: string): string {
  if (/^-?\d+\.\d\d$/.test(value)) return value;
  const hundredths = parseMoney(value, 2);
  if (hundredths === undefined) throw new RangeError(`"${value}" can't be written with two decimals: round it before it gets into an audit file`);
  return formatMoney(hundredths, 2);
}

function day(value: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) throw new RangeError(`"${value}" is not a day like 2026-10-31`);
  return value;
}

function documentNumber(value: string): string {
  if (!/^\d{1,10}$/.test(value)) throw new RangeError(`"${value}" is not a document number of at most ${DOCUMENT_DIGITS} digits`);
  return value.padStart(DOCUMENT_DIGITS, '0');
}

function whole(value: number): number {
  if (!Number.isInteger(value)) throw new RangeError(`${value} is not a whole number: the audit file has only whole VAT rates and codes`);
  return value;
}

/** The length limits of the agency's schema, by element. */
export const auditLimits = { e_shop_n: 10, domain_name: 200, ord_n: 300, r_ord_n: 300, art_name: 200, pos_n: 200, trans_n: 200, proc_id: 200 } as const;

/** The digits of a document number (Наредба Н-18, чл. 52о, ал. 1, т. 1). */
export const DOCUMENT_DIGITS = 10;
