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
import { startDay, startMoment } from '../../../operations/trial/start-moment.ts';
import { AnswerCache } from '../../../platform/answer-cache.ts';
import { html } from '../../../web/html.ts';
import type { ConnectPage, ConnectReply, Visit } from '../../base/connect-page.ts';
import { connectionOf, gonePage } from '../connection-of.ts';
import { cameView } from './came-view.ts';
import { orderView } from './order-view.ts';
import { type Chosen, startView, WAYS } from './start-view.ts';

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

async function show(visit: Visit): Promise<ConnectReply> {
  const { deps, words, base } = visit;
  const connection = await connectionOf(visit);
  if (connection === null) return gonePage(visit);
  if (connection.trialSince === null) return started(visit);
  const came = await cameByNow(deps, connection);
  const [looked, chosen, elsewhereUntil] = await Promise.all([
    deps.looks.of(deps, connection),
    chosenIn(visit, connection, came),
    otherCompanyUntil(deps, connection),
  ]);
  const past = { recordedUntil: connection.recordedUntil, elsewhereUntil };
  return {
    title: words.trial.title,
    body: html`${orderView(newestRehearsed(looked.orders, connection), words)}${cameView(visit, came)}${startView(chosen, { base, trialSince: connection.trialSince, ...past }, words)}`,
    ...(came.length === 0 ? { refreshPlainly: LOOK_SECONDS } : {}),
  };
}

async function chosenIn({ deps, req }: Visit, connection: Connection, came: readonly CameOrder[]): Promise<Chosen> {
  const text = (name: string) => (typeof req.query[name] === 'string' ? req.query[name] : '');
  const way = WAYS.find((one) => one === text('from')) ?? 'now';
  const day = text('day');
  const from = momentOf(way, day, deps.now());
  // Of these nothing changed, so neither did what would be recorded; “now” goes on.
  const same = JSON.stringify([connection.id, connection.trialSince, connection.settings, came, way === 'now' ? way : from]);
  const counted = (since: string) => previews.get(same, () => previewStart({ pool: deps.pool, ...deps.stores.reading }, connection, since));
  const preview = from === null ? null : { ...(await counted(from)), from };
  return { way, day, preview };
}

function momentOf(way: Chosen['way'], day: string, now: Date): string | null {
  try {
    return way === 'day' ? startDay(day, now) : startMoment(way, now);
  } catch (thrown) {
    if (thrown instanceof Refusal) return null;
    throw thrown;
  }
}

/** It is recorded, whoever started it. The page that he keeps has an address of its own, since the way's ends; he is led there once. */
async function started({ deps, onboarding, base }: Visit): Promise<ConnectReply> {
  await endWay(deps, onboarding);
  const token = await firstStatusLink(deps, onboarding);
  return { goTo: token === null ? `${base}/status` : `/connect/${token}/status` };
}

async function start(visit: Visit, form: Form): Promise<ConnectReply> {
  const { deps, onboarding, words, by } = visit;
  const connection = await connectionOf(visit);
  if (connection === null) return gonePage(visit);
  // Pressed twice: it is started.
  if (connection.trialSince === null) return started(visit);
  const { trial: say } = words;
  mustBeSeen(form, [connection.trialSince], { sent: say.startOf, now: momentName(connection.trialSince, words.lang) });
  try {
    await startStore(deps, onboarding, { from: form.text('typed'), by });
  } catch (thrown) {
    // Where another press was faster, what he asked for is done.
    if (!(thrown instanceof Refusal) || (await connectionOf(visit))?.trialSince !== null) throw thrown;
  }
  return started(visit);
}
