import type { Connection } from '../../../bridge/connections/connection.ts';
import type { Form } from '../../../console/base/page.ts';
import { seen } from '../../../console/frame/parts.ts';
import { mustBeSeen, Stale } from '../../../console/frame/stale.ts';
import { answerMapping, isAnswered, type MappingAnswers, type MappingProblem, mappingProblems } from '../../../operations/onboarding/answer-mapping.ts';
import { asProposed, questionsOf } from '../../../operations/onboarding/mapping-questions.ts';
import { settingsText } from '../../../operations/onboarding/mapping-state.ts';
import { endStep, newOnboardingLink } from '../../../operations/onboarding/onboarding.ts';
import { rehearse, seenIn } from '../../../operations/onboarding/rehearse.ts';
import { type Html, html, nothing } from '../../../web/html.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../../base/connect-page.ts';
import { connectionOf, gonePage } from '../connection-of.ts';
import { tooOften } from '../store/store-page.ts';
import { answersOf, mappingFields, withAnswers } from './mapping-form.ts';
import { resultView } from './result-view.ts';

/** `GET, POST /connect/{token}/mapping`: what rates and payment methods mean, by looking at the store's last orders. */
export const mappingPage: ConnectPage = { path: '/mapping', of: 'mapping', get: show, post: act };

const LINK_DAYS = 14;

async function show(context: PageContext): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  return connection === null ? gonePage(context) : askPage(context, connection, null);
}

type Wrong = { answers: MappingAnswers; problems: MappingProblem[] };

async function askPage(context: PageContext, connection: Connection, wrong: Wrong | null): Promise<ConnectReply> {
  const { deps, words, base, req, scope } = context;
  const { mapping: say } = words;
  const again = req.query['look'] === 'again';
  const often = again ? tooOften(context) : null;
  if (often !== null) return often;
  const looked = await deps.looks.of(deps, connection, { again });
  const asked = questionsOf(connection, looked.survey, seenIn(looked.orders));
  const questions = wrong === null ? asked : withAnswers(asked, wrong.answers);
  const rehearsal = rehearse(looked.orders, connection);
  const proposed = rehearse(looked.orders, asProposed(connection, asked));
  const saved = req.query['saved'] === '1' ? html`<div class="banner ok" role="status"><p>${say.saved}</p></div>\n` : nothing;
  return {
    status: wrong === null ? 200 : 422,
    title: say.title,
    body: html`${saved}${wrong === null ? nothing : html`<p class="problem" role="alert">${say.wrong}</p>\n`}${resultView({ looked, rehearsal, proposed, questions: asked, words })}<p><a href="${base}/mapping?look=again">${say.again}</a></p>
<form method="post" action="${base}/mapping">${seen(settingsText(connection.settings))}
${mappingFields({ questions, problems: wrong?.problems ?? [], words })}
<p class="hint">${say.later}</p>
<p class="verbs"><button name="act" value="save">${scope.kind === 'all' ? say.save : say.saveAlone}</button></p>
</form>
${scope.kind === 'all' ? linkForm(context) : nothing}`,
  };
}

function linkForm({ words: { mapping: say }, base }: PageContext): Html {
  return html`<h2>${say.accountant}</h2>
<form method="post" action="${base}/mapping"><p>${say.accountantBody}</p>
<p class="verbs"><button class="second" name="act" value="link">${say.makeLink}</button></p></form>
`;
}

async function act(context: PageContext, form: Form): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  if (connection === null) return gonePage(context);
  return form.text('act') === 'link' && context.scope.kind === 'all' ? linkPage(context) : save(context, connection, form);
}

async function save(context: PageContext, connection: Connection, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, words, by, base, scope } = context;
  const { mapping: say } = words;
  const answers = answersOf(form);
  const problems = mappingProblems(answers);
  if (problems.length > 0) return askPage(context, connection, { answers, problems });
  const mustBe = (text: string) => mustBeSeen(form, text, { sent: say.changed, now: say.now });
  try {
    await answerMapping(deps, connection, { answers, by, mustBe });
  } catch (thrown) {
    // Pressed twice: what he answered is what is there.
    const now = thrown instanceof Stale ? await connectionOf(context) : null;
    if (now === null || !isAnswered(now, answers)) throw thrown;
  }
  await endStep(deps, onboarding, 'mapping');
  return { goTo: scope.kind === 'all' ? `${base}/trial` : `${base}/mapping?saved=1` };
}

/** Not behind a redirect: what is shown once is in no address. */
async function linkPage({ deps, onboarding, words, base }: PageContext): Promise<ConnectReply> {
  const { mapping: say, steps } = words;
  const token = await newOnboardingLink(deps, onboarding, { scope: { kind: 'step', step: 'mapping' }, days: LINK_DAYS });
  return {
    title: say.accountant,
    body: html`<p><strong>${say.linkOnce}</strong></p>
<pre class="secret" tabindex="0">${await deps.stores.base()}/connect/${token}</pre>
<p><a href="${base}/mapping">${steps.back}</a></p>
`,
  };
}
