import type { SourceTotal } from '../../../operations/order-detail/order-sources.ts';
import type { StoredOrderView, WebhookChange } from '../../../operations/webhooks/webhook-change.ts';
import { type Html, html } from '../../../web/html.ts';
import { table } from '../../../web/tables.ts';
import { money, problemText } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

type Row = { name: string; before: string; after: string };

/** What differs of an order, before and after. */
export function changeView({ before, after }: WebhookChange, words: Words): Html {
  const { change: say } = words.webhooks;
  const [was, is] = [factsOf(before, words), factsOf(after, words)];
  const rows: Row[] = is.map(([name, value], i) => ({ name, before: was[i]?.[1] ?? say.notKnown, after: value })).filter((row) => row.before !== row.after);
  if (rows.length === 0) return html`<p class="soft">${say.nothing}</p>`;
  const columns = [
    { name: say.fact, cell: ({ name }: Row) => name },
    { name: say.before, cell: (row: Row) => row.before },
    { name: say.after, cell: (row: Row) => row.after },
  ];
  return table({ caption: say.title, columns, rows });
}

function factsOf(seen: StoredOrderView | null, words: Words): (readonly [string, string])[] {
  const { facts: names, values, notKnown } = words.webhooks.change;
  const value = (word: string) => values[word] ?? word;
  const shown = (words: (seen: StoredOrderView) => string) => (seen === null ? notKnown : words(seen));
  const sum = (total: SourceTotal) => (total === null ? words.frame.none : money(`${total.amount} ${total.currency}`, words));
  return [
    [names.status, shown(({ status }) => status)],
    [names.lifecycle, shown(({ lifecycle }) => value(lifecycle))],
    [names.payment, shown(({ payment }) => value(payment))],
    [names.kept, shown(({ kept }) => sum(kept))],
    [names.refunds, shown(({ refunds }) => String(refunds))],
    [names.record, shown((one) => recordWords(one, words, sum(one.should)))],
  ];
}

function recordWords({ record }: StoredOrderView, { order: { sources: say }, lang }: Words, sum: string): string {
  if (record.kind === 'record') return sum;
  return record.kind === 'nothing' ? `${say.nothing}: ${say.reasons[record.why]}` : record.problems.map((problem) => problemText(problem, lang)).join(' ');
}
