import type { monthsOf } from '../../../operations/months/list-months.ts';
import type { BoardShop } from '../../../service/audit/month/month-board.ts';
import { type Html, html } from '../../../web/html.ts';
import { dayName, monthName, table } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { sumsOf } from './board-view.ts';
import { monthPath } from './of-month.ts';

type Listed = Awaited<ReturnType<typeof monthsOf>>[number];

/** All months of a shop, the newest first. */
export function olderView({ shop, months }: { shop: BoardShop; months: readonly Listed[] }, words: Words): Html {
  const w = words.months;
  const back = html`<p><a href="/console/months?shop=${shop.id}">${w.back}</a></p>`;
  if (months.length === 0) return html`<p>${w.olderNone}</p>\n${back}`;
  const row = ({ month, situation, orders, outstanding, filedWithout, version, filedVersion, deadline }: Listed): Html[] => {
    const left = outstanding ?? filedWithout;
    return [
      html`<a href="${monthPath({ shopId: shop.id, month })}">${monthName(month, words.lang)}</a>`,
      html`${w.situations[situation]}`,
      html`${orders}`,
      html`${left === undefined ? words.frame.none : `${left.orders} (${sumsOf(left, words)})`}`,
      html`${filedVersion ?? version ?? words.frame.none}`,
      html`${dayName(deadline, words.lang)}`,
    ];
  };
  const c = w.columnsOfList;
  const columns = [
    { name: c.month },
    { name: c.state },
    { name: c.orders, n: true as const },
    { name: c.outstanding },
    { name: c.version, n: true as const },
    { name: c.term },
  ];
  return html`${table({ caption: w.olderOf(shop.name), columns, rows: months.map(row) })}
${back}`;
}
