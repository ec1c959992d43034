import { parseMoney } from '../../../contract/money.ts';
import type { AuditSums } from '../audit-file.ts';
import { type AuditColumns, articleColumns, columnsOf, orderColumns, returnColumns } from './audit-columns.ts';
import { readAuditFile } from './audit-reader.ts';
import { AuditTally } from './audit-tally.ts';
import { ownText } from './finding-list.ts';
import type { SeenArticle, SeenHeader, SeenOrder, SeenReturn } from './seen-audit.ts';

export type AuditDiff = {
  equal: boolean;
  header: FieldDifference[];
  sums: FieldDifference[];
  orders: OrderDifference[];
  returns: ReturnDifference[];
  /** How many rows are in both files and agree. */
  same: { orders: number; returns: number };
};

/** Nothing was compared, because these are no audit files. */
type NotComparable = { equal: false; unreadable: readonly ('first' | 'second')[] };

type File = Uint8Array | AsyncIterable<Uint8Array>;
type Whole = { header: SeenHeader | null; orders: SeenOrder[]; returns: SeenReturn[]; sums: AuditSums };

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
      whole.returns.push(kept(returnColumns, returned, texts));
    },
  });
  return { header, ...whole, sums: tally.sums() };
}

/** An order whose texts are copies, so that the file's text can be freed; equal texts are kept once. */
function keep(order: SeenOrder, texts: Map<string, string>): SeenOrder {
  return { ...kept(orderColumns, order, texts), articles: order.articles.map((article) => kept(articleColumns, article, texts)) };
}

/** Days and amounts are so short that V8 copies them anyway. */
function kept<Row extends Readonly<Record<string, unknown>>>(columns: AuditColumns, row: Row, texts: Map<string, string>): Row {
  const values: Record<string, unknown> = { ...row };
  for (const [, { field, kind }] of columnsOf(columns)) {
    const value = values[field];
    if (kind.isText === true && typeof value === 'string') values[field] = own(value, texts);
  }
  return values as Row;
}

function own(text: string, texts: Map<string, string>): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  const copy = ownText(text);
  texts.set(copy, copy);
  return copy;
}

/** `only`: the file that has the row; null if both have it and it differs. */
export type ArticleDifference = { only: 'first' | 'second' | null; name: string | null; fields: FieldDifference[] };
export type OrderDifference = {
  only: 'first' | 'second' | null;
  number: string | null;
  documentNumber: string | null;
  /** With VAT. */
  total: string | null;
  fields: FieldDifference[];
  articles: ArticleDifference[];
};

const ORDER_NUMBERS = numbersOf(orderColumns);
const ARTICLE_NUMBERS = numbersOf(articleColumns);

function numbersOf(columns: AuditColumns): Set<string> {
  return new Set(columnsOf(columns).flatMap(([, { field, kind }]) => (kind.isNumber === true ? [field] : [])));
}

/** The same for equal rows. */
function rowKey(columns: AuditColumns, row: Readonly<Record<string, Value>>): string {
  return columnsOf(columns)
    .map(([, { field, kind }]) => (kind.isNumber === true ? numberKey(shown(row[field])) : row[field]))
    .join('\n');
}

/** Orders that differ or are in one file only; `same` counts the others. */
function diffOrders(first: readonly SeenOrder[], second: readonly SeenOrder[]): { rows: OrderDifference[]; same: number } {
  const document = ({ documentNumber }: SeenOrder) => numberKey(documentNumber);
  const number = (order: SeenOrder) => order.number;
  const pairs = pairUp(first, second, [(order) => `${number(order)}\n${document(order)}`, number, document]);
  const compared = pairs.both.map(([a, b]) => orderDifference(a, b));
  const rows = compared.filter(({ fields, articles }) => fields.length + articles.length > 0);
  return { rows: [...rows, ...pairs.first.map(onlyIn('first')), ...pairs.second.map(onlyIn('second'))], same: compared.length - rows.length };
}

function onlyIn(only: 'first' | 'second'): (order: SeenOrder) => OrderDifference {
  return ({ number, documentNumber, total }) => ({ only, number, documentNumber, total, fields: [], articles: [] });
}

function orderDifference(first: SeenOrder, second: SeenOrder): OrderDifference {
  const { articles: firstArticles, ...a } = first;
  const { articles: secondArticles, ...b } = second;
  const { number, documentNumber, total } = first;
  return { only: null, number, documentNumber, total, fields: differences(a, b, ORDER_NUMBERS), articles: diffArticles(firstArticles, secondArticles) };
}

/** Articles are paired if they are equal, then by name, then by position. */
function diffArticles(first: readonly SeenArticle[], second: readonly SeenArticle[]): ArticleDifference[] {
  const pairs = pairUp(first, second, [(article) => rowKey(articleColumns, article), ({ name }) => name]);
  const count = Math.min(pairs.first.length, pairs.second.length);
  const byPosition = pairs.first.slice(0, count).flatMap((one, index): [SeenArticle, SeenArticle][] => {
    const other = pairs.second[index];
    return other === undefined ? [] : [[one, other]];
  });
  const differing = [...pairs.both, ...byPosition].map(([a, b]): ArticleDifference => ({ ...articleRow(null)(a), fields: differences(a, b, ARTICLE_NUMBERS) }));
  return [
    ...differing.filter(({ fields }) => fields.length > 0),
    ...pairs.first.slice(count).map(articleRow('first')),
    ...pairs.second.slice(count).map(articleRow('second')),
  ];
}

function articleRow(only: 'first' | 'second' | null): (article: SeenArticle) => ArticleDifference {
  return ({ name }) => ({ only, name, fields: [] });
}

/** `only`: the file that has the row; null if both have it and it differs. */
export type ReturnDifference = {
  only: 'first' | 'second' | null;
  number: string | null;
  amount: string | null;
  returnedOn: string | null;
  fields: FieldDifference[];
};

const NUMBERS = numbersOf(returnColumns);

/** Returns that differ or are in one file only; `same` counts the others. An order may have been returned in parts: equal rows are paired first. */
function diffReturns(first: readonly SeenReturn[], second: readonly SeenReturn[]): { rows: ReturnDifference[]; same: number } {
  const pairs = pairUp(first, second, [(returned) => rowKey(returnColumns, returned), ({ number }) => number]);
  const compared = pairs.both.map(([a, b]) => ({ ...rowOf(null)(a), fields: differences(a, b, NUMBERS) }));
  const rows = compared.filter(({ fields }) => fields.length > 0);
  return { rows: [...rows, ...pairs.first.map(rowOf('first')), ...pairs.second.map(rowOf('second'))], same: compared.length - rows.length };
}

function rowOf(only: 'first' | 'second' | null): (returned: SeenReturn) => ReturnDifference {
  return ({ number, amount, returnedOn }) => ({ only, number, amount, returnedOn, fields: [] });
}

/** The values of one field in the first and in the second file; null: absent or unreadable. */
export type FieldDifference = { field: string; first: string | null; second: string | null };

type Value = string | number | null;

/** The fields in which two records differ. Numbers are compared by value: "24.960" is 24.96, "0000000001" is 1. */
function differences(first: Readonly<Record<string, Value>>, second: Readonly<Record<string, Value>>, numeric: ReadonlySet<string>): FieldDifference[] {
  return Object.keys(first).flatMap((field) => {
    const [a, b] = [shown(first[field]), shown(second[field])];
    const same = a === b || (a !== null && b !== null && numeric.has(field) && numberKey(a) === numberKey(b));
    return same ? [] : [{ field, first: a, second: b }];
  });
}

function shown(value: Value | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

/** One text for all spellings of a number with two decimals at most: "24.960" and "24.96", "0000000001" and "1". */
function numberKey(text: string | null): string | null {
  return text === null ? null : (parseMoney(text, 2)?.toString() ?? text);
}

/** The pairs, and what remains of each list. */
type Pairs<T> = { both: [T, T][]; first: T[]; second: T[] };

/** Pairs items with the same key; each further key is used for the items that remain. Items with the key null are not paired. */
function pairUp<T>(first: readonly T[], second: readonly T[], keys: readonly ((one: T) => string | null)[]): Pairs<T> {
  const pairs: Pairs<T> = { both: [], first: [...first], second: [...second] };
  for (const key of keys) {
    const open = Map.groupBy(pairs.second, key);
    const used = new Set<T>();
    const rest: T[] = [];
    for (const one of pairs.first) {
      const found = key(one) === null ? undefined : open.get(key(one))?.shift();
      if (found === undefined) rest.push(one);
      else {
        pairs.both.push([one, found]);
        used.add(found);
      }
    }
    pairs.first = rest;
    pairs.second = pairs.second.filter((one) => !used.has(one));
  }
  return pairs;
}
