import type { Connection } from '../../../bridge/connections/connection.ts';
import type { Snippet } from '../../../bridge/storefronts/onboarding.ts';
import type { Said } from '../../../contract/said.ts';
import { webhookAddress } from '../../../operations/connections/webhook-address.ts';
import { onboardingOf, topicsOf } from '../../../operations/onboarding/store-means.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { ConnectReply, PageContext } from '../../base/connect-page.ts';
import type { Words } from '../../words/words.ts';

type Shown = { connection: Connection; secret: string };

/** The secret, once. Not behind a redirect: it is in no address, and no page that renews itself. */
export async function secretView(context: PageContext, { connection, secret }: Shown): Promise<ConnectReply> {
  const { webhooks: say } = context.words;
  return {
    title: say.secretTitle,
    body: html`<p><strong>${say.secretOnce}</strong></p>
<pre class="secret" tabindex="0">${secret}</pre>
<p class="verbs"><a class="verb" href="${context.base}/webhooks">${say.watch}</a></p>
${await guideView(context, { connection, secret })}`,
  };
}

/** How the merchant makes it send: steps in its store, or code. `secret`: what stands for it. */
export async function guideView({ deps, words }: PageContext, { connection, secret }: Shown): Promise<Html> {
  const { webhooks: say } = words;
  const able = onboardingOf(connection.platform);
  const address = webhookAddress(await deps.stores.base(), connection);
  const steps = able?.guide?.webhooks({ address, topics: topicsOf(connection.platform) }) ?? [];
  const now = deps.now().getTime();
  const code = able?.snippets?.({ address, secret, id: `9${now}`, now }) ?? [];
  return html`<p>${say.addressLabel}: <code>${address}</code></p>
${steps.length === 0 ? nothing : stepsView(words, steps)}${code.length === 0 ? nothing : codeView(words, code)}`;
}

function stepsView({ lang, webhooks: say }: Words, steps: readonly Said[]): Html {
  return html`<h2>${say.byHandTitle}</h2>
<ol>
${lines(steps.map((step) => html`<li>${step[lang]}</li>`))}</ol>
`;
}

function codeView({ webhooks: say }: Words, code: readonly Snippet[]): Html {
  const one = ({ language, fileName, run, code: text }: Snippet) => html`<details><summary>${language}: ${fileName}</summary>
<p>${say.run(run)}</p>
<pre tabindex="0"><code>${text}</code></pre></details>`;
  return html`<h2>${say.codeTitle}</h2>
<p>${say.codeBody}</p>
${lines(code.map(one))}`;
}
