import { alertsSince } from '../../bridge/ledger/alerts/alert-watch.ts';
import { BRIDGE_AUDIT_LOG, DECISIONS } from '../../bridge/ledger/bridge-acts.ts';
import { type ChangeSince, countOrdersSince } from '../../bridge/ledger/orders/orders-since.ts';
import { MOST_COUNTED } from '../../operations/orders/find-orders.ts';
import { actorNames } from '../../operations/people/people.ts';
import { may } from '../../operations/people/rights.ts';
import { leftAt } from '../../operations/people/sessions.ts';
import { lastMidnights } from '../../operations/reconciliation/window.ts';
import { countByAuthor } from '../../platform/audit-log/audit-log.ts';
import { type Html, html, nothing } from '../../web/html.ts';
import type { PageContext } from '../base/page.ts';
import { listAddress, momentName } from '../frame/parts.ts';
import { decidedSince } from './activity.ts';
import { whoWords } from './order/sentence.ts';

const DAY_MS = 86_400_000;
/** Nobody reads what happened longer ago here. */
const MOST_DAYS = 14;

/** What happened since the person was here before, each leading to its list; nothing the first time. What they did themselves is no news. */
export async function sinceHere(context: PageContext): Promise<Html> {
  const { deps, words, person } = context;
  const { sinceHere: say } = words.today;
  const left = await leftAt(deps, person);
  if (left === null) return nothing;
  const [earliest = left] = lastMidnights(deps.now(), MOST_DAYS);
  const since = left < earliest ? earliest : left;
  const [recorded, asked, decided, alerts] = await Promise.all([
    orders(context, 'recorded', since),
    orders(context, 'asked', since),
    decisions(context, since),
    alertsSince(deps.pool, since),
  ]);
  const isLong = deps.now().getTime() - Date.parse(since) > DAY_MS;
  const changed = [...(alerts.raised > 0 ? [say.raised(alerts.raised)] : []), ...(alerts.resolved > 0 ? [say.resolved(alerts.resolved)] : [])];
  const ofAlerts = changed.length === 0 ? [] : [html`<a href="#health">${changed.join(', ')}</a>${isLong ? ` ${say.lastDay}` : ''}`];
  const at = momentName(left, words.lang);
  const parts = [...recorded, ...asked, ...decided, ...ofAlerts];
  return html`<p><strong>${since === left ? say.here(at) : say.days(MOST_DAYS, at)}</strong> ${parts.map((part, i) => html`${i === 0 ? '' : ' · '}${part}`)}</p>`;
}

async function orders({ deps, words }: PageContext, became: ChangeSince, since: string): Promise<Html[]> {
  const count = await countOrdersSince(deps.pool, { became, since, most: MOST_COUNTED + 1 });
  if (count === 0 && became === 'asked') return [];
  const text = words.today.sinceHere[became](count, words.orders.count(count, MOST_COUNTED));
  return [html`<a href="${listAddress('orders', { since: `${became}_${since}` })}">${text}</a>`];
}

async function decisions({ deps, words, person, by }: PageContext, since: string): Promise<Html[]> {
  if (!may(person.role, 'activity.see')) return [];
  const counts = await countByAuthor(deps.pool, BRIDGE_AUDIT_LOG, { acts: DECISIONS, from: since, besides: by });
  const names = await actorNames(
    deps.pool,
    counts.map(({ who }) => who),
  );
  const others = counts.filter(({ who }) => names.has(who) || who.startsWith('cli:'));
  return others.map(
    ({ who, count }) => html`<a href="${decidedSince(who, since)}">${words.today.sinceHere.decided(count, whoWords({ who, name: names.get(who) }, words))}</a>`,
  );
}
