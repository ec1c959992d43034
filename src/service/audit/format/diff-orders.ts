import { type Difference, differences, numberKey, pairUp } from './differences.ts';
import type { SeenArticle, SeenOrder } from './seen-audit.ts';

/** `only`: the file that has the row; null if both have it and it differs. */
export type ArticleDifference = { only: 'first' | 'second' | null; name: string | null; fields: Difference[] };
export type OrderDifference = {
  only: 'first' | 'second' | null;
  number: string | null;
  documentNumber: string | null;
  /** With VAT. */
  total: string | null;
  fields: Difference[];
  articles: ArticleDifference[];
};

const ORDER_NUMBERS = new Set(['documentNumber', 'net', 'discount', 'vat', 'total']);
const ARTICLE_NUMBERS = new Set(['quantity', 'price', 'vat', 'sum']);

/** Orders that differ or are in one file only; `same` counts the others. */
export function diffOrders(first: readonly SeenOrder[], second: readonly SeenOrder[]): { rows: OrderDifference[]; same: number } {
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
  const pairs = pairUp(first, second, [articleKey, ({ name }) => name]);
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

function articleKey({ name, quantity, price, vatRate, vat, sum }: SeenArticle): string {
  return [name, numberKey(quantity), numberKey(price), vatRate, numberKey(vat), numberKey(sum)].join('\n');
}
