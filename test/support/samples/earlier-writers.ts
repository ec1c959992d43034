import iconv from 'iconv-lite';
import type { AuditArticle, AuditOrder } from '../../../src/service/audit/audit-file.ts';
import type { CsvOrder } from '../../../src/service/audit/summary/csv-columns.ts';
import { paymentWords } from '../../../src/service/law/audit-codes.ts';

/** The first, slow ways to write an order, with which the fast ones are compared: plain decimal text in, no tables, nothing kept from row to row. */

const HIGH = iconv.decode(Buffer.from(Array.from({ length: 128 }, (_, i) => 0x80 + i)), 'windows-1251').replace(/[\uFFFD\u0098]/g, '');
const everyUnusual = new RegExp(`[^\\t\\n\\x20-\\x25\\x27-\\x3B\\x3D\\x3F-\\x7E${HIGH}]`, 'gu');
const everyIllegal = /[\p{Cs}\uFFFE\uFFFF]|(?![\t\n\r\x7F-\x9F])\p{Cc}/gu;
const NAMED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const element = (name: string, value: string, limit: number) => {
  const cut = Array.from(value.replace(everyIllegal, '')).slice(0, limit).join('');
  return `<${name}>${cut.replace(everyUnusual, (one) => NAMED[one] ?? `&#${one.codePointAt(0)};`)}</${name}>`;
};
const optional = (name: string, value: string | null) => (value === null || value === '' ? '' : element(name, value, 200));

function earlierArticle({ name, quantity, price, vatRate, vat, sum }: AuditArticle): string {
  return `<artenum>${element('art_name', name, 200)}<art_quant>${quantity}</art_quant><art_price>${price}</art_price><art_vat_rate>${vatRate}</art_vat_rate><art_vat>${vat}</art_vat><art_sum>${sum}</art_sum></artenum>\n`;
}

/** The bytes of an order in the file. */
export function earlierOrder(order: AuditOrder): Buffer {
  const { number, orderedOn, documentNumber, documentedOn, articles, net, discount, vat, total, payment, posNumber, transaction, processor } = order;
  const begin = `<orderenum>${element('ord_n', number, 300)}<ord_d>${orderedOn}</ord_d><doc_n>${documentNumber}</doc_n><doc_date>${documentedOn}</doc_date><art>\n`;
  const sums = `<ord_total1>${net}</ord_total1><ord_disc>${discount}</ord_disc><ord_vat>${vat}</ord_vat><ord_total2>${total}</ord_total2>`;
  const paid = `<paym>${payment}</paym>${optional('pos_n', posNumber)}${optional('trans_n', transaction)}${optional('proc_id', processor)}</orderenum>\n`;
  return iconv.encode(`${begin}${articles.map(earlierArticle).join('')}</art>${sums}${paid}`, 'windows-1251');
}

const FORMULA = /^[\s\p{Cc}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;
const INNER_FORMULA = /([,;\t\r\n][\s\p{Cc}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/gu;
const cell = (text: string) => {
  const inside = `${FORMULA.test(text) ? "'" : ''}${text.replace(INNER_FORMULA, "$1'")}`;
  return /[",;\r\n\t]|^\s|\s$/.test(inside) ? `"${inside.replaceAll('"', '""')}"` : inside;
};
const amount = (text: string) => text.replace('.', ',');
const day = (text: string) => text.split('-').toReversed().join('.');

/** The rows of an order in the CSV. */
export function earlierRows(order: CsvOrder, currency: string): string {
  const { number, orderedOn, documentNumber, documentedOn, payment, posNumber, transaction, processor, foreign } = order;
  const rows = order.articles.map(({ name, quantity, price, vatRate, vat, sum }, i) => {
    const first = (text: string) => (i === 0 ? text : '');
    return [
      ...['продажба', cell(number), day(orderedOn), cell(documentNumber), day(documentedOn), String(payment), cell(paymentWords(payment))],
      ...[cell(posNumber ?? ''), cell(transaction ?? ''), cell(processor ?? ''), cell(name), amount(quantity), amount(price), String(vatRate), amount(vat)],
      ...[amount(sum), ...[order.net, order.discount, order.vat, order.total].map((text) => first(amount(text)))],
      ...(foreign === null ? ['', '', '', '', '', '', ''] : foreignCells(foreign, first)),
      ...['', '', '', currency, '', '', '', ''],
    ];
  });
  return rows.map((cells) => `${cells.join(';')}\r\n`).join('');
}

function foreignCells({ total, rate }: NonNullable<CsvOrder['foreign']>, first: (text: string) => string): string[] {
  return [cell(rate.currency), first(amount(total)), amount(rate.divide), amount(rate.multiply), rate.base, day(rate.publishedOn), rate.source];
}
