import { formatMoney, parseMoney } from '../../../contract/money.ts';
import type { AuditArticle, AuditHeader, AuditOrder, AuditReturn } from '../audit-file.ts';
import { auditLimits, DOCUMENT_DIGITS } from './audit-limits.ts';
import { encodeText, escapeText, fitText } from './windows-1251.ts';

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
