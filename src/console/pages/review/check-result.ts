import { missingSettings } from '../../../bridge/order/facts/failure.ts';
import { ownValue } from '../../../contract/own-value.ts';
import { detailFor } from '../../../operations/order-detail/quoted-words.ts';
import type { Person } from '../../../operations/people/sessions.ts';
import type { ShownBulkAction } from '../../../operations/review/show-bulk-action.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { money, problemText, tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { heading } from './issue-text.ts';

type One = NonNullable<ShownBulkAction['one']>;

/** What became of the order that went first. */
export function checkResult(bulkAction: ShownBulkAction, words: Words, person: Person): Html {
  const { result } = words.review;
  const { one } = bulkAction;
  if (one === null) return nothing;
  return html`<section class="banner ${toneOf(bulkAction)}" role="status"><h2>${result.title}</h2>
${sentence({ bulkAction, one, person }, words)}
<p><a href="/console/orders/${one.id}">${result.look}</a></p></section>`;
}

/** It is recorded, or needs no record: the others may follow. */
export function wentWell({ left, underWay, issues, one }: ShownBulkAction): boolean {
  return one !== null && left + underWay + issues.length === 0;
}

function toneOf(bulkAction: ShownBulkAction): string {
  if (wentWell(bulkAction)) return 'ok';
  return bulkAction.issues.length > 0 ? 'failing' : 'attention';
}

function sentence({ bulkAction, one, person }: { bulkAction: ShownBulkAction; one: One; person: Person }, words: Words): Html {
  const { result } = words.review;
  const number = one.number ?? `id:${one.id}`;
  if (bulkAction.left > 0) return html`<p>${result.left(number)}</p>`;
  if (bulkAction.underWay > 0) return html`<p>${result.underWay(number)}</p>`;
  const [issue] = bulkAction.issues;
  if (issue !== undefined) return issueSentence({ issue, one, number }, words, person);
  if (one.state === 'recorded') {
    const undo = (bulkAction.about === null ? [] : missingSettings(bulkAction.about.code, bulkAction.about.pattern)).length > 0;
    return html`<p>${tag('✓', 'ok')} ${result.recorded(number)}${one.recorded === null ? nothing : html`: ${recordedWords(one.recorded, words)}`}.</p>${undo ? html`<p class="soft">${result.undo}</p>` : nothing}`;
  }
  return html`<p>${one.state === 'removed' ? result.removed(number) : result.nothing(number)}</p>`;
}

/** “€42.00, Bank transfer, document 0000000031” */
function recordedWords({ total, paymentType, paymentProcessorName, document }: NonNullable<One['recorded']>, words: Words): string {
  const payment = paymentWords({ paymentType, paymentProcessorName: paymentProcessorName ?? undefined }, words);
  return [money(total, words), payment, ...(document === null ? [] : [words.review.result.document(document)])].join(', ');
}

/** How an order was paid, as its record says it. */
export function paymentWords(
  { paymentType, paymentProcessorName }: { paymentType: string; paymentProcessorName?: string | undefined },
  { review: { choice } }: Words,
): string {
  const payment = ownValue(choice.types, paymentType) ?? paymentType;
  return paymentProcessorName === undefined ? payment : `${payment}, ${paymentProcessorName}`;
}

function issueSentence({ issue, one, number }: { issue: ShownBulkAction['issues'][number]; one: One; number: string }, words: Words, person: Person): Html {
  const { result } = words.review;
  const detail = detailFor(person, issue.code, one.detail);
  if (issue.code === '') return html`<p>${result.lost(number)} ${result.nothingElse}</p>`;
  if (issue.code === 'compliance.refused' || issue.code === 'replacement.refused') {
    if (detail === null) return html`<p>${result.refusedQuietly(number)} ${result.nothingElse}</p>`;
    return html`<p>${result.refused(number)}</p><blockquote lang="en">${detail}</blockquote><p>${result.nothingElse}</p>`;
  }
  return html`<p>${result.asked(number)} <a href="/console/review/${issue.id}">${heading(issue, words, person)}</a></p>
${detail === null ? nothing : html`<blockquote>${problemText({ code: issue.code, detail }, words.lang)}</blockquote>`}<p>${result.nothingElse}</p>`;
}
