import { ownValue } from '../../contract/own-value.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import { lines } from '../../web/lines.ts';
import type { Words } from '../words/words.ts';
import { field } from './parts.ts';

type Field = readonly [name: string, value: string];

/** A form that was sent, and was not done. `fresh`: what it is made from if it is sent again; null: it can't be. `now`: what its thing is now, in words. */
export type SentForm = { at: string; fields: readonly Field[]; fresh: string | null; now: string | null };

type Typed = { name: string; label: string; value: string };

/** What somebody wrote by himself, beside what he chose. */
export function typedIn(fields: readonly Field[], { frame: { problem } }: Words): Typed[] {
  return fields.flatMap(([name, value]) => {
    const label = ownValue<string>(problem.fields, name);
    return label === undefined || value === '' ? [] : [{ name, label, value }];
  });
}

/** What somebody typed, so that nothing is lost, and the way to send it again. */
export function againForm({ at, fields, fresh, now }: SentForm, words: Words): Html {
  const { problem } = words.frame;
  const typed = typedIn(fields, words);
  if (fresh === null) {
    const own = typed.map(({ label, value }) => html`<dt>${label}</dt><dd><pre>${value}</pre></dd>`);
    return own.length === 0 ? nothing : html`<h2>${problem.typed}</h2>\n<dl class="facts">${lines(own)}</dl>`;
  }
  const renewed = ([name, value]: Field) => (name === 'seen' ? fresh : name === 'was' ? (now ?? value) : value);
  const kept = fields.filter(([name, value]) => !typed.some((one) => one.name === name && one.value === value));
  return html`<form method="post" action="${at}">
${kept.map((one) => html`<input type="hidden" name="${one[0]}" value="${renewed(one)}">`)}
${typed.length === 0 ? nothing : html`<h2>${problem.typed}</h2>\n`}${lines(typed.map(editable))}
<div class="verbs"><button data-key="r">${problem.again}</button></div></form>`;
}

function editable({ name, label, value }: Typed): Html {
  if (!value.includes('\n')) return field({ name, label, value });
  return html`<div class="field"><label for="${name}">${label}</label><textarea id="${name}" name="${name}" rows="4">${value}</textarea></div>`;
}
