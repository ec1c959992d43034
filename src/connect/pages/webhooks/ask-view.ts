import { onboardingOf } from '../../../operations/onboarding/store-means.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import { html, nothing } from '../../../web/html.ts';
import type { ConnectReply, PageContext } from '../../base/connect-page.ts';
import { notesView } from '../store/problem-view.ts';

/** What will be made, before anything is; and what his keys are not good for. */
export function askView({ words, onboarding, base }: PageContext): ConnectReply {
  const { webhooks: say } = words;
  const store = foundStore(onboarding);
  const isMade = store?.mayWrite === true;
  const [intro, verb] = isMade ? [say.intro, say.make] : store === null ? [say.introOwn, say.makeOwn] : [say.introByHand, say.makeByHand];
  const agree = html`<p><label><input type="checkbox" name="agree" value="yes"> ${say.agree}</label></p>
<p class="hint">${say.agreeHint}</p>
`;
  const canTouch = isMade && onboardingOf(onboarding.platform)?.touch !== undefined;
  return {
    title: say.title,
    body: html`${notesView(words, store?.notes ?? [])}<p>${intro}</p>
<form method="post" action="${base}/webhooks"><input type="hidden" name="act" value="make">
${canTouch ? agree : nothing}<p class="verbs"><button>${verb}</button></p></form>
`,
  };
}
