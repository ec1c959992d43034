import type { ShopOutstanding } from '../../../operations/months/ledger-outstanding.ts';
import { codeWords } from '../../../operations/words/code-words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { coded } from '../../frame/coded.ts';
import { money, monthName, table, when } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import { settlePath } from './board-view.ts';

/** Where another compliance service keeps the months: what the ledger knows will be missing in them. */
export function foreignView(shops: readonly ShopOutstanding[], words: Words): Html {
  const w = words.months.foreign;
  const rows = shops.flatMap(({ shopId, store, months }) =>
    months.map(({ month, orders, total, currency, oldest, codes }) => [
      html`${store}`,
      html`<a href="${settlePath({ shopId, month })}">${monthName(month, words.lang)}</a>`,
      html`${orders}`,
      html`${money(`${total} ${currency}`, words)}`,
      when(oldest, words),
      html`<ul class="changes">${Object.entries(codes).map(([code, count]) => html`<li>${coded(codeWords(code, words.lang).means)} <code>${code}</code>: ${count}</li>`)}</ul>`,
    ]),
  );
  const c = w.columns;
  const columns = [
    { name: c.store },
    { name: c.month },
    { name: c.orders, n: true as const },
    { name: c.sum, n: true as const },
    { name: c.oldest },
    { name: c.codes },
  ];
  return html`<p>${w.words}</p>
<h2>${w.title}</h2>
<p class="soft">${w.lead}</p>
${rows.length === 0 ? html`<p>${w.none}</p>` : table({ caption: w.title, columns, rows })}
${shops.some(({ isCut }) => isCut) ? html`<p>${w.cut}</p>` : nothing}`;
}
