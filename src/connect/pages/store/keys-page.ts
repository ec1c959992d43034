import type { LookProblem } from '../../../bridge/storefronts/onboarding.ts';
import type { Form } from '../../../console/base/page.ts';
import { field } from '../../../console/frame/parts.ts';
import { keyParts, takeKeys, typedKeys } from '../../../operations/onboarding/store-keys.ts';
import { onboardingOf } from '../../../operations/onboarding/store-means.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import { html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import type { ConnectPage, ConnectReply, Visit } from '../../base/connect-page.ts';
import { problemView } from './problem-view.ts';
import { afterKeys, tooOften } from './store-page.ts';

/** `GET, POST /connect/{token}/store/keys`: keys that the merchant makes himself; what he typed is never shown again. */
export const keysPage: ConnectPage = { path: '/store/keys', of: 'store', get: async (visit) => askPage(visit, {}), post: take };

function askPage(visit: Visit, { problem, isMissing = false }: { problem?: LookProblem; isMissing?: boolean }): ConnectReply {
  const { onboarding, words, base } = visit;
  const { keys: say } = words.store;
  if (foundStore(onboarding) === null) return { goTo: `${base}/store` };
  const guide = onboardingOf(onboarding.platform)?.guide;
  const fields = keyParts(onboarding).map((name, n) =>
    field({ name, type: 'password', label: guide?.keyParts[name]?.[words.lang] ?? say.label(n + 1), required: true, autocomplete: 'off' }),
  );
  const wrong = problem === undefined ? nothing : problemView(words, { title: words.store.problem[problem.code].what, platform: onboarding.platform, problem });
  return {
    status: problem === undefined && !isMissing ? 200 : 422,
    title: say.title,
    body: html`${wrong}${isMissing ? html`<p class="problem" role="alert">${say.missing}</p>\n` : nothing}<p>${say.intro}</p>
<ol>
${lines((guide?.keys ?? []).map((step) => html`<li>${step[words.lang]}</li>`))}</ol>
<form method="post" action="${base}/store/keys">
${fields}
<p class="verbs"><button>${say.verb}</button> <a href="${base}/store/found">${words.steps.back}</a></p>
</form>
`,
  };
}

async function take(visit: Visit, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, base } = visit;
  const store = foundStore(onboarding);
  if (store === null) return { goTo: `${base}/store` };
  const credentials = typedKeys(onboarding, (name) => form.text(name));
  if (credentials === null) return askPage(visit, { isMissing: true });
  const often = tooOften(visit);
  if (often !== null) return often;
  const proved = await takeKeys(deps, onboarding, { url: store.url, credentials, by: visit.by });
  return proved.ok ? { goTo: afterKeys(visit) } : askPage(visit, { problem: proved.problem });
}
