import type { KeyWay, StoreProblem } from '../../../bridge/storefronts/onboarding.ts';
import type { Form } from '../../../console/base/page.ts';
import { field } from '../../../console/frame/parts.ts';
import { keyWays, takeKeys, typedKeys } from '../../../operations/onboarding/store-keys.ts';
import { onboardingOf } from '../../../operations/onboarding/store-means.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../../base/connect-page.ts';
import { afterKeys, problemView, tooOften } from './store-page.ts';

/** `GET, POST /connect/{token}/store/keys`: keys that the merchant makes themselves; what they typed is never shown again. */
export const keysPage: ConnectPage = { path: '/store/keys', of: 'store', get: async (context) => askPage(context, {}), post: take };

function askPage(context: PageContext, { problem, isMissing = false }: { problem?: StoreProblem; isMissing?: boolean }): ConnectReply {
  const { onboarding, words, base } = context;
  const { keys: say } = words.store;
  if (foundStore(onboarding) === null) return { goTo: `${base}/store` };
  const ways = keyWays(onboarding);
  const wrong = problem === undefined ? nothing : problemView(words, { title: null, platform: onboarding.platform, problem });
  const [only] = ways;
  const body =
    only !== undefined && ways.length === 1
      ? html`<p>${say.intro(only.steps.length)}</p>\n${wayView(context, only)}`
      : html`<p>${say.introWays}</p>\n${lines(ways.map((way) => html`<section class="card"><h2>${way.title[words.lang]}</h2>\n${wayView(context, way)}</section>`))}`;
  return {
    status: problem === undefined && !isMissing ? 200 : 422,
    title: say.title,
    body: html`${wrong}${isMissing ? html`<p class="problem" role="alert">${say.missing}</p>\n` : nothing}${body}<p><a href="${base}/store/found">${words.steps.back}</a></p>
`,
  };
}

function wayView({ words, onboarding, base }: PageContext, { id, steps, parts }: KeyWay): Html {
  const { keys: say } = words.store;
  const keyParts = onboardingOf(onboarding.platform)?.guide?.keyParts ?? {};
  const fields = parts.map((name, n) =>
    field({ name, id: `${id}-${name}`, type: 'password', label: keyParts[name]?.[words.lang] ?? say.label(n + 1), required: true, autocomplete: 'off' }),
  );
  return html`<ol>
${lines(steps.map((step) => html`<li>${step[words.lang]}</li>`))}</ol>
<form method="post" action="${base}/store/keys"><input type="hidden" name="way" value="${id}">
${fields}
<p class="verbs"><button>${say.verb}</button></p>
</form>
`;
}

async function take(context: PageContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base } = context;
  const store = foundStore(onboarding);
  if (store === null) return { goTo: `${base}/store` };
  const credentials = typedKeys(onboarding, (name) => form.text(name));
  if (credentials === null) return askPage(context, { isMissing: true });
  const often = tooOften(context);
  if (often !== null) return often;
  const verified = await takeKeys(deps, onboarding, { url: store.url, credentials, by: context.by });
  return verified.ok ? { goTo: afterKeys(context) } : askPage(context, { problem: verified.problem });
}
