import type { AuditSums } from '../../service/audit/audit-file.ts';

type Which = 'first' | 'second';

/** What is said about the content of audit files: sums, findings, and how two of them differ. */
export const auditFileInEnglish = {
  /** "2 orders, 76.00 + 11.40 VAT = 87.40; 1 order returned, 22.80" */
  sums: ({ orders, net, vat, total, returns, returned }: AuditSums) =>
    `${count(orders, 'order')}, ${net} + ${vat} VAT = ${total}; ${count(returns, 'order')} returned, ${returned}`,
  errors: (n: number) => count(n, 'error'),
  warnings: (n: number) => count(n, 'warning'),
  titles: { errors: 'ERRORS', warnings: 'WARNINGS' },
  line: (line: number) => `line ${line}`,
  order: (number: string) => `order ${number}`,
  notAudit: (file: string) => `${file} is not an audit file.`,
  head: ({ file, month, shop, company }: { file: string; month: string | null; shop: string | null; company: string | null }) =>
    `${file}: month ${month ?? 'unknown'}, shop ${shop ?? '-'}, ЕИК ${company ?? '-'}`,
  hasErrors: (file: string, n: number) => `${file} has ${count(n, 'error')}; don’t file it before they are gone`,
  or: (first: string, second: string) => `${first} or ${second}`,
  unreadable: (file: string, why: string) => `${file} can’t be read: ${why}`,
  diff: {
    notComparable: (files: string) => `not an audit file: ${files}; \`orderbridge service audit verify\` says why`,
    differ: 'the files differ',
    same: (orders: number, returns: number) => `The files say the same: ${count(orders, 'order')}, ${count(returns, 'return')}.`,
    agree: (orders: number, returns: number) => `${count(orders, 'order')} and ${count(returns, 'return')} agree.`,
    titles: {
      header: 'HEADER',
      sums: 'SUMS',
      orders: 'ORDERS THAT DIFFER',
      returns: 'RETURNS THAT DIFFER',
      ordersOnly: { first: 'ORDERS ONLY IN THE FIRST FILE', second: 'ORDERS ONLY IN THE SECOND FILE' },
      returnsOnly: { first: 'RETURNS ONLY IN THE FIRST FILE', second: 'RETURNS ONLY IN THE SECOND FILE' },
    },
    article: (name: string | null) => `article ${name ?? 'without name'}`,
    onlyIn: (which: Which) => `only in the ${which} file`,
    order: (number: string | null, document: string, total: string) => `order ${number ?? 'without number'}, document ${document}, ${total}`,
    return: (number: string | null, amount: string, day: string) => `order ${number ?? 'without number'}, ${amount} on ${day}`,
    nothing: 'nothing',
  },
};

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
