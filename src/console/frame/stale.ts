import { type Html, html } from '../../web/html.ts';
import type { Form } from '../base/page.ts';
import type { Words } from '../messages/messages.ts';
import { seenOf } from './parts.ts';

/** What a form was made from is not what is there now; `now` is shown beside what was sent. `fresh`: by which the form can be sent again; null: there is nothing left that it could be about. */
export class Stale extends Error {
  readonly sent: string;
  readonly now: string;
  readonly fresh: string | null;

  constructor(sent: string, now: string, fresh: string | null = null) {
    super('changed meanwhile');
    this.name = 'Stale';
    this.sent = sent;
    this.now = now;
    this.fresh = fresh;
  }
}

/** Throws `Stale` if a form was not made from this value. `words`: what the form says, and what is there now. */
export function mustBeSeen(form: Form, value: unknown, words: { sent: string; now: string }): void {
  if (isStale(form, value)) throw new Stale(words.sent, words.now, seenOf(value));
}

/** Was the form made from something else? */
export function isStale(form: Form, value: unknown): boolean {
  return form.text('seen') !== seenOf(value);
}

/** Both values, so that the person decides what is right. */
export function staleView({ sent, now }: Pick<Stale, 'sent' | 'now'>, { frame: { problem } }: Words): Html {
  return html`<p>${problem.stale}</p>
<dl class="facts"><dt>${problem.seen}</dt><dd><pre>${sent}</pre></dd><dt>${problem.now}</dt><dd><pre>${now}</pre></dd></dl>`;
}

/** The same above a page that has the form again, with what was typed. `typed`: what the page might have no field for any more. */
export function staleBanner(stale: Pick<Stale, 'sent' | 'now'>, typed: string, words: Words): Html {
  const { problem } = words.frame;
  const own = typed === '' ? html`` : html`\n<p>${problem.typed} “${typed}”</p>`;
  return html`<section class="banner attention" role="alert"><h2>${problem.staleTitle}</h2>
${staleView(stale, words)}${own}
<p>${problem.kept}</p></section>\n`;
}
