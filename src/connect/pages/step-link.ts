import { newOnboardingLink } from '../../operations/onboarding/onboarding.ts';
import { button, formTo } from '../../web/forms.ts';
import { type Html, html } from '../../web/html.ts';
import type { ConnectContext, ConnectReply } from '../base/connect-page.ts';

const STEP_LINK_DAYS = 14;

type Offer = { step: 'mapping' | 'webhooks'; title: string };

/** A link to one step for somebody else, for those who have the whole way. */
export function stepLinkForm({ words: { steps }, base }: ConnectContext, { step, title, body }: Offer & { body: string }): Html {
  return html`<h2>${title}</h2>
${formTo(`${base}/${step}`, { body: html`<p>${body}</p>`, buttons: [button(steps.makeLink, { class: 'second', name: 'act', value: 'link' })] })}`;
}

/** Not behind a redirect: what is shown once is in no address. */
export async function stepLinkPage(
  { deps, onboarding, words: { steps }, base }: ConnectContext,
  { step, title, once }: Offer & { once: string },
): Promise<ConnectReply> {
  const token = await newOnboardingLink(deps, onboarding, { scope: { kind: 'step', step }, days: STEP_LINK_DAYS });
  const address = `${await deps.stores.base()}/connect/${token}`;
  return {
    title,
    body: html`<p><strong>${once}</strong></p>
<pre class="secret" tabindex="0">${address}</pre>
<p><a href="mailto:?subject=${encodeURIComponent(steps.title)}&amp;body=${encodeURIComponent(address)}">${steps.mailLink}</a></p>
<p><a href="${base}/${step}">${steps.back}</a></p>
`,
  };
}
