import type { AuditSums } from '../audit-file.ts';
import { AuditTally } from './audit-tally.ts';
import { diffOrders, type OrderDifference } from './diff-orders.ts';
import { diffReturns, type ReturnDifference } from './diff-returns.ts';
import { type Difference, differences } from './differences.ts';
import { ownText } from './finding-list.ts';
import { readAuditFile } from './read-audit-file.ts';
import type { SeenArticle, SeenHeader, SeenOrder, SeenReturn } from './seen-audit.ts';

export type AuditDiff = {
  equal: boolean;
  header: Difference[];
  sums: Difference[];
  orders: OrderDifference[];
  returns: ReturnDifference[];
  /** How many rows are in both files and agree. */
  same: { orders: number; returns: number };
};

/** Nothing was compared, because these are no audit files. */
export type NotComparable = { equal: false; unreadable: readonly ('first' | 'second')[] };

type File = Uint8Array | AsyncIterable<Uint8Array>;
type Whole = { header: SeenHeader | null; orders: SeenOrder[]; returns: SeenReturn[]; sums: AuditSums };

/** Days and amounts are so short that V8 copies them anyway. */
type Short = 'orderedOn' | 'documentedOn' | 'returnedOn' | 'net' | 'discount' | 'vat' | 'total' | 'quantity' | 'price' | 'sum' | 'amount';
/** All other texts of a row: one that is missing in a copy doesn't compile. */
type Texts<Row> = { [Key in keyof Row as Key extends Short ? never : string extends Row[Key] ? Key : never]: Row[Key] };

const NO_NUMBERS = new Set<string>();

/**
 * Compares two audit files of any origin row by row, across encodings, orders of elements and spellings of numbers. Rows belong together by number,
 * orders also by document number. Different days of creation are no difference. Keeps both files in memory.
 */
export async function diffAuditFiles(first: File, second: File): Promise<AuditDiff | NotComparable> {
  const a = await readWhole(first);
  const b = await readWhole(second);
  if (a.header === null || b.header === null) {
    const unreadable = (['first', 'second'] as const).filter((which) => (which === 'first' ? a : b).header === null);
    return { equal: false, unreadable };
  }
  const header = differences({ ...a.header, createdOn: null }, { ...b.header, createdOn: null }, NO_NUMBERS);
  const sums = differences(a.sums, b.sums, new Set(Object.keys(a.sums)));
  const orders = diffOrders(a.orders, b.orders);
  const returns = diffReturns(a.returns, b.returns);
  const equal = [header, sums, orders.rows, returns.rows].every((list) => list.length === 0);
  return { equal, header, sums, orders: orders.rows, returns: returns.rows, same: { orders: orders.same, returns: returns.same } };
}

async function readWhole(file: File): Promise<Whole> {
  const tally = new AuditTally();
  const whole: Omit<Whole, 'header' | 'sums'> = { orders: [], returns: [] };
  const texts = new Map<string, string>();
  const header = await readAuditFile(file, {
    order(order) {
      tally.order(order);
      whole.orders.push(keep(order, texts));
    },
    return(returned) {
      tally.return(returned);
      whole.returns.push(keepReturn(returned, texts));
    },
  });
  return { header, ...whole, sums: tally.sums() };
}

/** An order whose texts are copies, so that the file's text can be freed; equal texts are kept once. */
function keep(order: SeenOrder, texts: Map<string, string>): SeenOrder {
  const kept: Texts<SeenOrder> = {
    number: own(order.number, texts),
    documentNumber: own(order.documentNumber, texts),
    posNumber: own(order.posNumber, texts),
    transaction: own(order.transaction, texts),
    processor: own(order.processor, texts),
  };
  return { ...order, ...kept, articles: order.articles.map((article) => keepArticle(article, texts)) };
}

function keepArticle(article: SeenArticle, texts: Map<string, string>): SeenArticle {
  const kept: Texts<SeenArticle> = { name: own(article.name, texts) };
  return { ...article, ...kept };
}

function keepReturn(returned: SeenReturn, texts: Map<string, string>): SeenReturn {
  const kept: Texts<SeenReturn> = { number: own(returned.number, texts) };
  return { ...returned, ...kept };
}

function own(text: string | null, texts: Map<string, string>): string | null {
  if (text === null) return null;
  const known = texts.get(text);
  if (known !== undefined) return known;
  const copy = ownText(text);
  texts.set(copy, copy);
  return copy;
}
