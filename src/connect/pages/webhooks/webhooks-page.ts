import type { Connection } from '../../../bridge/connections/connection.ts';
import type { Form } from '../../../console/base/page.ts';
import { attachStore } from '../../../operations/onboarding/attach-store.ts';
import { freshSecret } from '../../../operations/onboarding/heard-of-store.ts';
import { makeWebhooks, type Touched, touchOrder } from '../../../operations/onboarding/make-webhooks.ts';
import { endStep, type Onboarding } from '../../../operations/onboarding/onboarding.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import type { ConnectPage, ConnectReply, Visit } from '../../base/connect-page.ts';
import { askView } from './ask-view.ts';
import { secretView } from './secret-view.ts';
import { watchView } from './watch-view.ts';

/** `GET, POST /connect/{token}/webhooks`: the connection is made, on trial, and how its store tells of orders. */
export const webhooksPage: ConnectPage = { path: '/webhooks', of: 'webhooks', get: show, post: act };

async function show(visit: Visit): Promise<ConnectReply> {
  const connection = await connectionOf(visit);
  return connection === null ? askView(visit) : watchView(visit, { connection, made: null, touched: savedBefore(visit) });
}

async function connectionOf({ deps, onboarding }: Visit): Promise<Connection | null> {
  return onboarding.connectionId === null ? null : deps.connections.find(onboarding.connectionId);
}

async function act(visit: Visit, form: Form): Promise<ConnectReply> {
  const connection = await connectionOf(visit);
  const verb = form.text('act');
  if (connection !== null && verb === 'secret') {
    return secretView(visit, { connection, secret: await freshSecret(visit.deps, connection, visit.by) });
  }
  if (connection !== null && verb === 'touch') return afterTouch(visit, connection);
  if (connection !== null && verb === 'check') {
    const made = await makeWebhooks(visit.deps, connection, visit.by);
    return made.kind === 'busy' ? { goTo: `${visit.base}/webhooks` } : watchView(visit, { connection, made, touched: null });
  }
  return attach(visit, form);
}

/** Makes what is not there yet; pressed again, it goes on where it was. */
async function attach(visit: Visit, form: Form): Promise<ConnectReply> {
  const { deps, by } = visit;
  const { fetchJson } = deps.stores;
  const given = { ...deps, fetchJson, trustedHttpHosts: deps.config.trustedHttpHosts };
  const { onboarding, connection, secret } = await attachStore(given, visit.onboarding, by);
  const now = { ...visit, onboarding };
  if (!isMadeByUs(onboarding)) {
    await end(now);
    return secret === null ? { goTo: `${visit.base}/webhooks` } : secretView(now, { connection, secret });
  }
  const made = await makeWebhooks(deps, connection, by);
  // On to the page that renews itself until the other press has made them.
  if (made.kind === 'busy') return { goTo: `${visit.base}/webhooks` };
  const isDone = made.kind === 'made' && made.missing.length === 0;
  if (isDone) await end(now);
  if (!isDone) return watchView(now, { connection, made, touched: null });
  return form.text('agree') === 'yes' ? afterTouch(now, connection) : { goTo: `${visit.base}/webhooks` };
}

/** On to the page that renews itself until the message came. */
async function afterTouch(visit: Visit, connection: Connection): Promise<ConnectReply> {
  const touched = await touchOrder(visit.deps, connection, visit.by);
  if (touched.kind === 'refused') return watchView(visit, { connection, made: null, touched });
  return { goTo: `${visit.base}/webhooks?saved=${touched.kind === 'none' ? '0' : '1'}` };
}

function savedBefore({ req }: Visit): Touched | null {
  const { saved } = req.query;
  return saved === '1' ? { kind: 'touched' } : saved === '0' ? { kind: 'none' } : null;
}

/** A key that may write makes them; else the merchant does. */
function isMadeByUs(onboarding: Onboarding): boolean {
  return foundStore(onboarding)?.mayWrite === true;
}

function end({ deps, onboarding }: Visit): Promise<void> {
  return endStep(deps, onboarding, 'webhooks');
}
