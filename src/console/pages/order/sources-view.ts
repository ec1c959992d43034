import { severalText } from '../../../contract/local-text.ts';
import type { OrderDetail } from '../../../operations/order-detail/order-detail.ts';
import type { Amount, SourceRow, SourceTotal } from '../../../operations/order-detail/order-sources.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { table } from '../../../web/tables.ts';
import { money, problemText } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';

/** Store, settings and service, line by line; what differs is marked, in words, too. `isPreview`: nothing is recorded of it yet. */
export function sourcesView({ sources, report }: Pick<OrderDetail, 'sources' | 'report'>, words: Words, isPreview = false): Html {
  const { sources: say } = words.order;
  const { rows, totals, refunded } = sources;
  const problems = whyNotExpected(report, words);
  if (rows.length === 0) return html`${problems}${refunded === null ? html`<p class="soft">${say.nothingIn}</p>` : nothing}`;
  const doesDiffer = totals.differs || rows.some(({ differs }) => differs);
  const inStore = (amount: string) => money(inCurrency(amount, totals.store), words);
  const back: Line[] = refunded?.unnamed == null ? [] : [{ differs: false, cells: [say.refunded, `−${inStore(refunded.unnamed)}`, '', ''] }];
  const all = [...rows.map((row) => line(row, totals, words)), ...back, total(sources, words)];
  const columns = [say.line, say.store, say.should, ...(isPreview ? [] : [say.recorded])].map((name, i) => ({
    ...{ name, cell: ({ cells }: Line) => cells[i] ?? '' },
    ...(i > 0 ? { n: true as const } : {}),
  }));
  const less = refunded === null ? '' : ` ${say.less(inStore(refunded.all), inStore(report.orderTotal ?? ''))}`;
  return html`${problems}<p class="${doesDiffer ? 'problem' : 'soft'}">${doesDiffer ? say.differ : agreement(sources, words, isPreview)}${less}</p>
${table({ caption: say.caption, class: 'sources', columns, rows: all, mark: ({ differs }) => (differs ? 'differs' : null) })}`;
}

/** Why no record is expected, or why nobody can say which, but for the reason at the top of the page; nothing where one is. */
function whyNotExpected({ desired, review }: Pick<OrderDetail['report'], 'desired' | 'review'>, { order: { sources: say }, lang }: Words): Html {
  if (desired.kind === 'nothing') return html`<p>${say.nothingShould}: ${say.reasons[desired.why]}.</p>`;
  if (desired.kind === 'record') return nothing;
  const others = desired.problems.filter(({ code, detail }) => code !== review?.code || detail !== review.detail);
  if (others.length === 0) return html`<p>${say.problems}.</p>`;
  return html`<p>${say.problems}:</p><ul>${lines(others.map((problem) => html`<li>${problemText(problem, lang)}</li>`))}</ul>`;
}

/** What sources that do not differ say together. */
function agreement({ isOpen, isUncertain, totals }: OrderDetail['sources'], { order: { sources: say } }: Words, isPreview: boolean): string {
  if (isPreview) return totals.should === null ? '' : say.agree;
  if (isUncertain) return say.uncertain;
  if (isOpen) return totals.recorded === null ? say.notYet : say.agreeSoFar;
  return totals.recorded === null ? say.asExpected : say.agree;
}

function inCurrency(amount: string, of: SourceTotal): string {
  return `${amount} ${of?.currency ?? ''}`;
}

/** `cells`: of the line, the store, what should be recorded, and what is. */
type Line = { differs: boolean; cells: readonly (Html | string)[] };

function line({ name, rate, store, should, recorded, differs }: SourceRow, totals: OrderDetail['sources']['totals'], words: Words): Line {
  const { sources: say } = words.order;
  const cell = (amount: Amount | null, of: SourceTotal) =>
    amount === null ? words.frame.none : severalText(amount.quantity, money(inCurrency(amount.amount, of), words), words.lang);
  const label = html`${name} <span class="soft">${say.rate(rate)}</span>${differs ? html` <strong class="problem">${say.differs}</strong>` : nothing}`;
  return { differs, cells: [label, cell(store, totals.store), cell(should, totals.should), cell(recorded, totals.recorded)] };
}

function total(sources: OrderDetail['sources'], words: Words): Line {
  const { store, should, recorded, differs } = sources.totals;
  const { sources: say } = words.order;
  const cell = (of: SourceTotal, isUnknown = false) =>
    html`<strong>${of === null ? (isUnknown ? say.unknown : say.nothing) : money(`${of.amount} ${of.currency}`, words)}</strong>`;
  const label = html`<strong>${say.total}</strong>${differs ? html` <strong class="problem">${say.differs}</strong>` : nothing}`;
  return { differs, cells: [label, cell(store), cell(should, sources.isOpen), cell(recorded, sources.isUncertain)] };
}
