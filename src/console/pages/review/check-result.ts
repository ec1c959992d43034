import type { Person } from '../../../operations/people/sessions.ts';
import type { ShownRun } from '../../../operations/review/show-run.ts';
import { detailFor } from '../../../operations/sheets/quoted-words.ts';
import { problemWords } from '../../../operations/words.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { tag } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { heading } from './issue-text.ts';

type One = NonNullable<ShownRun['one']>;

/** What became of the order that went first. */
export function checkResult(run: ShownRun, words: Words, person: Person): Html {
  const { result } = words.review;
  const { one } = run;
  if (one === null) return nothing;
  return html`<section class="banner ${toneOf(run)}" role="status"><h2>${result.title}</h2>
${sentence({ run, one, person }, words)}
<p><a href="/console/orders/${one.id}">${result.look}</a></p></section>`;
}

/** It is recorded, or needs no record: the others may follow. */
export function wentWell({ left, underWay, issues, one }: ShownRun): boolean {
  return one !== null && left + underWay + issues.length === 0;
}

function toneOf(run: ShownRun): string {
  if (wentWell(run)) return 'ok';
  return run.issues.length > 0 ? 'failing' : 'attention';
}

function sentence({ run, one, person }: { run: ShownRun; one: One; person: Person }, words: Words): Html {
  const { result } = words.review;
  const number = one.number ?? `id:${one.id}`;
  if (run.left > 0) return html`<p>${result.left(number)}</p>`;
  if (run.underWay > 0) return html`<p>${result.underWay(number)}</p>`;
  const [issue] = run.issues;
  if (issue !== undefined) return issueSentence({ issue, one, number }, words, person);
  if (one.state === 'recorded') {
    return html`<p>${tag('✓', 'ok')} ${result.recorded(number)}${one.complianceId === null ? nothing : html` ${result.as} <code>${one.complianceId}</code>`}.</p>`;
  }
  return html`<p>${one.state === 'removed' ? result.removed(number) : result.nothing(number)}</p>`;
}

type IssueOfOne = { issue: ShownRun['issues'][number]; one: One; number: string };

function issueSentence({ issue, one, number }: IssueOfOne, words: Words, person: Person): Html {
  const { result } = words.review;
  const detail = detailFor(person, issue.code, one.detail);
  if (issue.code === '') return html`<p>${result.lost(number)} ${result.nothingElse}</p>`;
  if (issue.code === 'compliance.refused' || issue.code === 'replacement.refused') {
    if (detail === null) return html`<p>${result.refusedQuietly(number)} ${result.nothingElse}</p>`;
    return html`<p>${result.refused(number)}</p><blockquote lang="en">${detail}</blockquote><p>${result.nothingElse}</p>`;
  }
  return html`<p>${result.asked(number)} <a href="/console/review/${issue.id}">${heading(issue, words, person)}</a></p>
${detail === null ? nothing : html`<blockquote>${problemWords({ code: issue.code, detail }, words.lang)}</blockquote>`}<p>${result.nothingElse}</p>`;
}
