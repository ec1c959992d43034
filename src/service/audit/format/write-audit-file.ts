import type { AuditHeader, AuditOrder, AuditReturn, AuditSums } from '../audit-file.ts';
import { elements, headerColumns, itemXml, orderColumns, returnColumns } from './audit-columns.ts';
import { AuditTally } from './audit-tally.ts';
import { ENCODING, encodeText } from './windows-1251.ts';

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

/** The elements before the list of orders, in the order of the law's table. Throws RangeError on values that can't be written. */
export function headerXml(header: AuditHeader): string {
  return `${elements(headerColumns, header).join('\n')}\n`;
}

/** An order that may have been rendered already: the bytes that the schema check sees are those of the file. */
export type RenderedOrder = AuditOrder & { readonly bytes?: Buffer };

/** The order with its XML in windows-1251. Throws RangeError on values that can't be written. */
export function rendered(order: AuditOrder): RenderedOrder {
  return { ...order, bytes: orderBytes(order) };
}

/** The XML of an order in windows-1251, one line per article. Throws RangeError on values that can't be written. */
export function orderBytes(order: RenderedOrder): Buffer {
  return order.bytes ?? encodeText(`${itemXml('orderenum', elements(orderColumns, order))}\n`);
}

/** One return, on one line. Throws RangeError on values that can't be written. */
export function returnXml(returned: AuditReturn): string {
  return `${itemXml('rorderenum', elements(returnColumns, returned))}\n`;
}
