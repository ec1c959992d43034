import { live, money, table, when } from '../../../console/frame/parts.ts';
import type { CameOrder } from '../../../operations/onboarding/came-by-now.ts';
import { codeWords } from '../../../operations/words/code-words.ts';
import { type Html, html } from '../../../web/html.ts';
import type { PageContext } from '../../base/connect-page.ts';
import type { Words } from '../../words/words.ts';

/** A test order, and what came by now: renewed by itself. */
export function cameView({ words, base }: PageContext, orders: readonly CameOrder[]): Html {
  const { trial: say } = words;
  const list = orders.length === 0 ? html`<p>${say.waits}</p>` : came(orders, words);
  return html`<h2>${say.cameTitle}</h2>
<p>${say.cameBody}</p>
${live('came', list)}
<p><a href="${base}/webhooks">${say.check}</a></p>
`;
}

function came(orders: readonly CameOrder[], words: Words): Html {
  const { trial: say } = words;
  return table({
    caption: say.came,
    columns: [say.number, say.at, say.what].map((name) => ({ name })),
    rows: orders.map((order) => [html`${order.number}`, when(order.at, words), html`${whatOf(order, words)}`]),
  });
}

function whatOf({ sum, code, why }: CameOrder, words: Words): string {
  const { trial: say, lang } = words;
  const whys: Readonly<Record<string, string>> = { ...say.whys, ...say.otherWhys };
  if (sum !== null) return say.would(money(sum, words));
  return code === null ? say.left(whys[why ?? ''] ?? why ?? '') : say.asked(codeWords(code, lang).means);
}
