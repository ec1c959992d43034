import { type Right, rolesThatMay } from '../operations/people/rights.ts';
import type { Refusal, RefusalKind } from '../operations/refusal.ts';
import { html, nothing } from '../web/html.ts';
import { lines } from '../web/lines.ts';
import type { Shown } from './base/page.ts';
import type { Stale } from './frame/stale.ts';
import type { Words } from './words/words.ts';

export function missingPage({ frame: { problem } }: Words): Shown {
  return { status: 404, title: problem.missingTitle, body: html`<p>${problem.missing}</p>` };
}

export function forbiddenPage({ frame: { problem, roles } }: Words, right: Right): Shown {
  const names = rolesThatMay(right).map((role) => roles[role]);
  return { status: 403, title: problem.forbiddenTitle, body: html`<p>${problem.forbidden(names.join(', '))}</p>` };
}

export function foreignPage({ frame: { problem } }: Words): Shown {
  return { status: 403, title: problem.foreignTitle, body: html`<p>${problem.foreign}</p>` };
}

export function failedPage({ frame: { problem } }: Words, requestId: string): Shown {
  return { status: 500, title: problem.failedTitle, body: html`<p>${problem.failed(requestId)}</p>` };
}

export function databasePage({ frame: { problem } }: Words): Shown {
  return { status: 503, title: problem.databaseTitle, body: html`<p>${problem.database}</p>` };
}

/** Both values, so that the person decides what is right. */
export function stalePage({ frame: { problem } }: Words, { sent, now }: Stale): Shown {
  return {
    status: 409,
    title: problem.staleTitle,
    body: html`<p>${problem.stale}</p>
<dl class="facts"><dt>${problem.seen}</dt><dd><pre>${sent}</pre></dd><dt>${problem.now}</dt><dd><pre>${now}</pre></dd></dl>`,
  };
}

const statuses: Readonly<Record<RefusalKind, number>> = { invalid: 422, missing: 404, conflict: 409, unavailable: 503, misconfigured: 500 };

/** An operation that can't be done. What to type is left out where a page has the button. */
export function refusedPage({ frame: { problem }, lang }: Words, { kind, said, choices }: Refusal): Shown {
  const rows = choices === null ? [] : choices.rows.map((row) => html`<li>${row.filter((cell) => cell !== null).join(' · ')}</li>`);
  return {
    status: statuses[kind],
    title: problem.refusedTitle,
    body: html`<p role="alert">${said[lang]}</p>
${rows.length === 0 ? nothing : html`<ul>${lines(rows)}</ul>`}`,
  };
}
