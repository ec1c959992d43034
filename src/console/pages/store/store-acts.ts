import { movedStore } from '../../../operations/connections/moved-store.ts';
import { notOurStore } from '../../../operations/connections/not-our-store.ts';
import { replayDelivery } from '../../../operations/orders/replay-delivery.ts';
import { Refusal } from '../../../operations/refusal.ts';
import { showSubscriptions } from '../../../operations/subscriptions/show-subscriptions.ts';
import type { Form, Page, PageContext, Reply } from '../../base/page.ts';
import { mustBeSeen } from '../../frame/stale.ts';
import { addressOf, idOf, storeOf } from './store-parts.ts';

const LONGEST_MS = 60_000;

/** `POST /console/stores/ID/webhooks`: what of its webhooks does not work is made anew, or they are only looked at. */
export const storeWebhooksPage: Page = { path: '/stores/:id/webhooks', right: 'stores.see', post: { right: 'orders.decide', act: webhooks } };

async function webhooks(context: PageContext, form: Form): Promise<Reply> {
  const { pool, connections, stores } = context.deps;
  const heal = form.text('what') === 'heal';
  const deps = { pool, connections, watch: stores.watch, storefronts: stores.storefronts };
  const id = idOf(context);
  const { problems, stopped } = await showSubscriptions(deps, { id, heal, by: context.by, signal: AbortSignal.timeout(LONGEST_MS) });
  const isWell = problems.length === 0 && stopped === null;
  const done = isWell ? (heal ? 'webhooksHealed' : 'webhooksWell') : heal ? 'webhooksNotHealed' : 'webhooksBroken';
  return { goTo: `/console/stores/${encodeURIComponent(id)}`, done };
}

/** `POST /console/stores/ID/replay`: a kept webhook is read again. */
export const replayPage: Page = { path: '/stores/:id/replay', right: 'stores.see', post: { right: 'orders.decide', act: replay } };

async function replay(context: PageContext, form: Form): Promise<Reply> {
  const { pool, connections, addDeliveries } = context.deps;
  const { ignored } = await replayDelivery({ pool, connections, addDeliveries, by: context.by }, form.text('delivery'));
  return { goTo: `/console/stores/${encodeURIComponent(idOf(context))}`, done: ignored === null ? 'deliveryReplayed' : 'deliveryIgnored' };
}

/** `POST /console/stores/ID/host`: whose a host is that webhooks name. */
export const hostPage: Page = { path: '/stores/:id/host', right: 'stores.see', post: { right: 'stores.change', act: judgeHost } };

async function judgeHost(context: PageContext, form: Form): Promise<Reply> {
  const { deps, by, words } = context;
  const store = await storeOf(context);
  const [host, verdict] = [form.text('host'), form.text('verdict')];
  const found = store.hosts.find((one) => one.host === host);
  if (found === undefined)
    throw new Refusal('missing', { en: `webhooks of this store do not name the host ${host}`, bg: `известията на този магазин не назовават хоста ${host}` });
  const say = words.store.health;
  const said = { held: say.held(host), ours: say.ours, 'not-ours': say.notOurs };
  mustBeSeen(form, found.verdict, { sent: said.held, now: said[found.verdict] });
  const judging = { id: store.connectionId, host };
  if (verdict === 'ours') {
    const given = { fetchJson: deps.stores.fetchJson, trustedHttpHosts: deps.config.trustedHttpHosts };
    const { api } = await movedStore({ ...deps, ...given, by }, judging);
    return { goTo: addressOf(store), done: api?.works === false ? 'hostOursNoApi' : 'hostOurs' };
  }
  if (verdict !== 'not-ours') throw new Refusal('invalid', { en: 'the form does not say whose the host is', bg: 'формулярът не казва чий е хостът' });
  await notOurStore({ ...deps, by }, judging);
  return { goTo: addressOf(store), done: 'hostNotOurs' };
}
