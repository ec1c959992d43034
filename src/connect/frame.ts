import { assetPath } from '../console/assets/assets.ts';
import { copyScript, frameMeta } from '../console/frame/page-frame.ts';
import { pageHeaders } from '../console/frame/send-reply.ts';
import { isReachable, type LinkScope, type Onboarding, type OnboardingStep, STEPS } from '../operations/onboarding/onboarding.ts';
import { attributes } from '../web/attributes.ts';
import { button, formTo } from '../web/forms.ts';
import { type Html, html, lines, nothing } from '../web/html.ts';
import { htmlDocument } from '../web/html-document.ts';
import type { Words } from './messages/messages.ts';

type MerchantPage = { onboarding: Onboarding; scope: LinkScope; base: string; at: OnboardingStep | 'status' | 'confirm' };

type Framed = {
  words: Words;
  title: string;
  body: Html;
  /** Null: there is no way, such as for a link that has ended. */
  way: MerchantPage | null;
  refreshPlainly?: number;
  /** As the meta element has it: the whole page is loaded again. */
  refresh?: string;
};

/** A whole page of a merchant: where they are on their way, the content, and nothing from another host. */
export function connectFrame({ words, title, body, way, refreshPlainly, refresh }: Framed): string {
  const { frame, lang } = words;
  return htmlDocument({
    lang,
    title: `${title} – ${frame.product}`,
    meta: frameMeta({ refresh, refreshPlainly }),
    styles: [
      html`<link rel="icon" href="${assetPath('dot-quiet.svg', '/connect')}">`,
      html`<link rel="stylesheet" href="${assetPath('style.css', '/connect')}">`,
      copyScript(frame, '/connect'),
      ...(refreshPlainly === undefined ? [] : [html`<script src="${assetPath('renew.js', '/connect')}" data-renew="" defer></script>`]),
    ],
    body: html`<a class="skip" href="#content">${frame.skip}</a>
<header class="bar merchant"><span class="product">${frame.product}</span>${way === null ? nothing : languageForm(words, way.base)}</header>
<main id="content" tabindex="-1">
${way === null ? nothing : wayList(words, way)}<h1>${title}</h1>
${body}
</main>`,
  }).markup;
}

function languageForm({ steps, lang }: Words, base: string): Html {
  const other = lang === 'en' ? 'bg' : 'en';
  return formTo(`${base}/language`, { hidden: { lang: other }, buttons: [button(steps.language, { class: 'plain', lang: other })] });
}

function wayList({ steps }: Words, { onboarding, scope, base, at }: MerchantPage): Html {
  if (scope.kind !== 'all' || at === 'status' || at === 'confirm') return nothing;
  const item = (step: OnboardingStep) => {
    const current = attributes({ 'aria-current': step === at ? 'step' : null });
    const name = html`${steps.name[step]}${onboarding.done.includes(step) ? html` <span class="tag ok">${step === 'webhooks' ? steps.isSetUp : steps.isDone}</span>` : nothing}`;
    return isReachable(onboarding, step) ? html`<li${current}><a href="${base}/${step}">${name}</a></li>` : html`<li${current}>${name}</li>`;
  };
  return html`<nav class="steps" aria-label="${steps.way}"><ol>
${lines(STEPS.map(item))}</ol></nav>
`;
}

/**
 * As those of the console; but no other site learns the address, because it is the key. Browsers hold `form-action 'self'` against redirects after a form,
 * too: to a store leads a link, not a form.
 */
export const connectHeaders: Readonly<Record<string, string>> = { ...pageHeaders, 'referrer-policy': 'no-referrer' };
