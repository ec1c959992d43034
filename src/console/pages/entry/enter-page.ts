import { linkOwner, signInByLink } from '../../../operations/people/links.ts';
import { html } from '../../../web/html.ts';
import type { Entered, Entrant, OpenPage } from '../../base/open-page.ts';
import { ownAddress } from '../language.ts';
import { browserOf, noteRefused } from './entering.ts';
import { hidden, overView } from './entry-views.ts';

/** `GET /console/enter?code=&to=`: a mailed link. It signs in by a button, because programs that look at mails open links. */
export const enterPage: OpenPage = {
  path: '/enter',
  async get(entrant) {
    const { req, deps, words } = entrant;
    const [code, to] = [String(req.query['code'] ?? ''), ownAddress(String(req.query['to'] ?? ''))];
    const owner = await linkOwner(deps, { code, kind: 'sign-in' });
    if (owner === null) return over(entrant);
    const { title, body, verb } = words.entry.enter;
    const form = html`<form method="post" action="/console/enter">${hidden('code', code)}${hidden('to', to)}<div class="verbs"><button>${verb}</button></div></form>`;
    return { title, body: html`<p>${body(owner.name === '' ? owner.email : owner.name)}</p>\n${form}` };
  },
  async post(entrant, form) {
    const { deps } = entrant;
    const made = await signInByLink(deps, { code: form.text('code'), ...browserOf(entrant) });
    return made === null ? over(entrant) : { goTo: ownAddress(form.text('to')), token: made.token };
  },
};

function over(entrant: Entrant): Entered {
  noteRefused(entrant, 'link');
  const { words } = entrant;
  const { title, signIn } = words.entry.over;
  return { status: 410, title, body: overView(words, signIn) };
}
