import type { Connection } from '../../../bridge/connections/connection.ts';
import type { Form } from '../../../console/base/page.ts';
import { attachStore } from '../../../operations/onboarding/attach-store.ts';
import { makeWebhooks, type Touched, touchOrder } from '../../../operations/onboarding/make-webhooks.ts';
import { endStep, type Onboarding } from '../../../operations/onboarding/onboarding.ts';
import { freshSecret } from '../../../operations/onboarding/received-from-store.ts';
import { foundStore } from '../../../operations/onboarding/store-progress.ts';
import type { ConnectPage, ConnectReply, PageContext } from '../../base/connect-page.ts';
import { askView } from './ask-view.ts';
import { secretView } from './secret-view.ts';
import { watchView } from './watch-view.ts';

/** `GET, POST /connect/{token}/webhooks`: the connection is made, on trial, and how its store tells of orders. */
export const webhooksPage: ConnectPage = { path: '/webhooks', of: 'webhooks', get: show, post: act };

async function show(context: PageContext): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  return connection === null ? askView(context) : watchView(context, { connection, made: null, touched: savedBefore(context) });
}

async function connectionOf({ deps, onboarding }: PageContext): Promise<Connection | null> {
  return onboarding.connectionId === null ? null : deps.connections.find(onboarding.connectionId);
}

async function act(context: PageContext, form: Form): Promise<ConnectReply> {
  const connection = await connectionOf(context);
  const verb = form.text('act');
  if (connection !== null && verb === 'secret') {
    return secretView(context, { connection, secret: await freshSecret(context.deps, connection, context.by) });
  }
  if (connection !== null && verb === 'touch') return afterTouch(context, connection);
  if (connection !== null && verb === 'check') {
    const made = await makeWebhooks(context.deps, connection, context.by);
    return made.kind === 'busy' ? { goTo: `${context.base}/webhooks` } : watchView(context, { connection, made, touched: null });
  }
  return attach(context, form);
}

/** Makes what is not there yet; pressed again, it goes on where it was. */
async function attach(context: PageContext, form: Form): Promise<ConnectReply> {
  const { deps, by } = context;
  const { fetchJson } = deps.stores;
  const given = { ...deps, fetchJson, trustedHttpHosts: deps.config.trustedHttpHosts };
  const { onboarding, connection, secret } = await attachStore(given, context.onboarding, by);
  const now = { ...context, onboarding };
  if (!isMadeByUs(onboarding)) {
    await end(now);
    return secret === null ? { goTo: `${context.base}/webhooks` } : secretView(now, { connection, secret });
  }
  const made = await makeWebhooks(deps, connection, by);
  // On to the page that renews itself until the other press has made them.
  if (made.kind === 'busy') return { goTo: `${context.base}/webhooks` };
  const isDone = made.kind === 'made' && made.missing.length === 0;
  if (isDone) await end(now);
  if (!isDone) return watchView(now, { connection, made, touched: null });
  return form.text('agree') === 'yes' ? afterTouch(now, connection) : { goTo: `${context.base}/webhooks` };
}

/** On to the page that renews itself until the message came. */
async function afterTouch(context: PageContext, connection: Connection): Promise<ConnectReply> {
  const touched = await touchOrder(context.deps, connection, context.by);
  if (touched.kind === 'refused') return watchView(context, { connection, made: null, touched });
  return { goTo: `${context.base}/webhooks?saved=${touched.kind === 'none' ? '0' : '1'}` };
}

function savedBefore({ req }: PageContext): Touched | null {
  const { saved } = req.query;
  return saved === '1' ? { kind: 'touched' } : saved === '0' ? { kind: 'none' } : null;
}

/** A key that may write makes them; else the merchant does. */
function isMadeByUs(onboarding: Onboarding): boolean {
  return foundStore(onboarding)?.mayWrite === true;
}

function end({ deps, onboarding }: PageContext): Promise<void> {
  return endStep(deps, onboarding, 'webhooks');
}
