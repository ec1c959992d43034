import type { Connection } from '../../../bridge/connections/connection.ts';
import type { Form } from '../../../console/base/page.ts';
import { momentName } from '../../../console/frame/parts.ts';
import { mustBeSeen } from '../../../console/frame/stale.ts';
import { type CameOrder, cameByNow } from '../../../operations/onboarding/came-by-now.ts';
import { firstStatusLink } from '../../../operations/onboarding/invitations.ts';
import { newestRehearsed } from '../../../operations/onboarding/rehearsed-order.ts';
import { endWay, otherCompanyUntil, startStore } from '../../../operations/onboarding/start-store.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { previewStart, type StartPreview } from '../../../operations/trial/preview-start.ts';
import { chosenMoment, countedAs, type StartChoice, startChoice } from '../../../operations/trial/start-moment.ts';
import { AnswerCache } from '../../../platform/answer-cache.ts';
import { html } from '../../../web/html.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../../base/connect-page.ts';
import { connectionOf, gonePage } from '../connection-of.ts';
import { cameView } from './came-view.ts';
import { orderView } from './order-view.ts';
import { type Chosen, startView } from './start-view.ts';

/** `GET, POST /connect/{token}/trial`: an order beside its record, a test order, and from when to record. */
export const trialPage: ConnectPage = { path: '/trial', of: 'trial', get: show, post: start };

const LOOK_SECONDS = 5;
const KEPT_MS = 60_000;
const UNREAD_MS = 15_000;

/** While the page waits for an order it is renewed again and again; the store is not read for each. */
const previews = new AnswerCache<StartPreview>({
  size: 200,
  freshMs: ({ whyUnknown }) => (whyUnknown === null ? KEPT_MS : UNREAD_MS),
  now: () => performance.now(),
});

async function show(context: PageContext): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  if (connection === null) return gonePage(context);
  if (connection.trialSince === null) return started(context);
  const { query } = context.req;
  const shown = await shownWith(
    context,
    connection,
    startChoice((name) => (typeof query[name] === 'string' ? query[name] : '')),
  );
  // A browser without script would take back what somebody selects after he counted.
  return query['from'] === undefined && shown.came.length === 0 ? { ...shown.page, refreshPlainly: LOOK_SECONDS } : shown.page;
}

async function shownWith(context: PageContext, connection: Connection, choice: StartChoice) {
  const { deps, words, base } = context;
  const came = await cameByNow(deps, connection);
  const [looked, chosen, elsewhereUntil] = await Promise.all([
    deps.looks.of(deps, connection),
    chosenIn(context, connection, { choice, came }),
    otherCompanyUntil(deps, connection),
  ]);
  const past = { recordedUntil: connection.recordedUntil, elsewhereUntil };
  const body = html`${orderView(newestRehearsed(looked.orders, connection), words)}${cameView(context, came)}${startView(chosen, { base, trialSince: connection.trialSince, ...past }, words)}`;
  return { came, page: { title: words.trial.title, body } };
}

type Asked = { choice: StartChoice; came: readonly CameOrder[] };

async function chosenIn({ deps }: PageContext, connection: Connection, { choice, came }: Asked): Promise<Chosen> {
  const from = momentOf(choice, deps.now());
  // Of these nothing changed, so neither did what would be recorded; “now” goes on.
  const same = JSON.stringify([connection.id, connection.trialSince, connection.settings, came, from === null ? null : countedAs(choice, from)]);
  const counted = (since: string) => previews.get(same, () => previewStart({ pool: deps.pool, ...deps.stores.reading }, connection, since));
  const preview = from === null ? null : { ...(await counted(from)), from };
  return { ...choice, preview };
}

function momentOf(choice: StartChoice, now: Date): string | null {
  try {
    return chosenMoment(choice, now);
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}

/** It is recorded, whoever started it. The page that he keeps has an address of its own, since the way's ends; he is led there once. */
async function started({ deps, onboarding, base }: PageContext): Promise<ConnectReply> {
  await endWay(deps, onboarding);
  const token = await firstStatusLink(deps, onboarding);
  return { goTo: token === null ? `${base}/status` : `/connect/${token}/status` };
}

async function start(context: PageContext, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, words, by } = context;
  const connection = await connectionOf(context);
  if (connection === null) return gonePage(context);
  // Pressed twice: it is started.
  if (connection.trialSince === null) return started(context);
  const { trial: say } = words;
  mustBeSeen(form, [connection.trialSince], { sent: say.startOf, now: momentName(connection.trialSince, words.lang) });
  const choice = startChoice(form.text);
  const from = momentOf(choice, deps.now());
  if (from === null || countedAs(choice, from) !== form.text('counted')) return notCounted(context, connection, choice);
  try {
    await startStore(deps, onboarding, { from, by });
  } catch (thrown) {
    // Where another press was faster, what he asked for is done.
    if (!(thrown instanceof Refusal) || (await connectionOf(context))?.trialSince !== null) throw thrown;
  }
  return started(context);
}

/** What is selected is another moment than what was counted: since a start can't be taken back, that is counted first. */
async function notCounted(context: PageContext, connection: Connection, choice: StartChoice): Promise<ConnectReply> {
  const { page } = await shownWith(context, connection, choice);
  return { ...page, status: 422, body: html`<p class="problem" role="alert">${context.words.trial.notCounted}</p>\n${page.body}` };
}
