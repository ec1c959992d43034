import type { Invitation } from '../../../operations/onboarding/invitations.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { Words } from '../../words/words.ts';
import { linkNames, linkVerbs } from '../invitations/invitations-view.ts';

/** The links of the merchants who connected a store. */
export function merchantLinks(invitations: readonly Invitation[], words: Words): Html {
  const own = invitations.filter(({ state }) => state !== 'revoked');
  if (own.length === 0) return nothing;
  const { invitations: say } = words;
  const one = (invitation: Invitation) =>
    html`<li><span>${invitation.email ?? say.unnamed}: ${invitation.links.length === 0 ? say.ofStoreNone : linkNames(invitation, words)}</span>${linkVerbs(invitation, words)}</li>`;
  return html`<h2>${say.ofStore}</h2>
<ul class="reasons">
${lines(own.map(one))}</ul>
`;
}
