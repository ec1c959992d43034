import type { StoreHint, StoreProblem } from '../../../bridge/storefronts/onboarding.ts';
import { onboardingOf } from '../../../operations/onboarding/store.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Words } from '../../messages/messages.ts';

/** `title` null: the page has said it. */
type StoreRefusal = { title: string | null; platform: string | null; problem: StoreProblem };

/** What is wrong, and what to do about it. */
export function problemView({ store: say }: Words, { title, platform, problem: { code, data = {} } }: StoreRefusal): Html {
  const { what, todo } = say.problem[code];
  const { to = '', status = '', needed = '', version = '' } = data;
  const of = { title: onboardingOf(platform)?.title ?? '', to, status, needed, version };
  return html`<div class="banner failing" role="alert">${title === null ? nothing : html`<h2>${title}</h2>`}<p><strong>${what}</strong> ${todo(of)}</p></div>
`;
}

export function notesView({ store: say }: Words, notes: readonly StoreProblem<StoreHint>[]): Html {
  if (notes.length === 0) return nothing;
  return html`<ul class="notes">
${lines(notes.map(({ code, data = {} }) => html`<li>${say.note[code]({ to: data['to'] ?? '' })}</li>`))}</ul>
`;
}

/** What the store runs on, once it has said so. */
export function versionView({ store: { found: say } }: Words, version: string | null): Html {
  return version === null ? nothing : html`<p class="soft">${say.version(version)}</p>\n`;
}
