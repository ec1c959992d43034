import { type Html, html, nothing } from '../../../web/html.ts';
import { lines } from '../../../web/lines.ts';
import { coded } from '../../frame/coded.ts';
import { seen, since, type Tone, tag } from '../../frame/parts.ts';
import { apiChecks, subscriptionChecks } from './api-checks.ts';
import type { Check, HealthView } from './health-check.ts';
import { addressOf, leftUntil } from './store-parts.ts';

/** What is right and wrong of a store, the worst first. */
export function healthView(view: HealthView): Html {
  const { health: say } = view.words.store;
  const checks = view.store.state === 'connected' ? ofLive(view) : ofClosed(view);
  const order: readonly Tone[] = ['failing', 'attention', 'quiet', 'ok'];
  const sorted = checks.toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
  const marks: Readonly<Record<Tone, string>> = { ok: say.ok, attention: say.look, failing: say.wrong, quiet: say.known };
  return html`<h2>${say.title}</h2>
<ul class="reasons health">
${lines(sorted.map(({ tone, text, verb = nothing }) => html`<li><span>${tag(marks[tone], tone)} ${coded(text)}</span>${verb}</li>`))}</ul>
`;
}

function ofLive(view: HealthView): Check[] {
  return [
    ...trialCheck(view),
    ...webhookChecks(view),
    ...subscriptionChecks(view),
    ...apiChecks(view),
    ...serviceChecks(view),
    ...orderChecks(view),
    ...hostChecks(view),
    ...remarks(view),
  ];
}

function trialCheck({ store, mayChange, now, words: { start: say, ...words } }: HealthView): Check[] {
  if (store.trialSince === null) return [];
  const verb = mayChange ? { verb: html`<a class="verb" href="${addressOf(store)}/start">${say.verb}</a>` } : {};
  return [{ tone: 'attention', text: say.onTrial(since(store.trialSince, now, words)), ...verb }];
}

function ofClosed(view: HealthView): Check[] {
  const { store, words } = view;
  const { health: say } = words.store;
  const { behind, review, unconfirmed } = store.open;
  const isDone = behind + review + unconfirmed === 0;
  const left: Check[] = isDone ? [{ tone: 'ok', text: say.nothingOpen }] : behind === 0 ? [] : [{ tone: 'attention', text: say.behind(behind) }];
  const sends = store.deliveries.refusedInARow > 0 ? webhookChecks(view).filter(({ tone }) => tone !== 'ok') : [];
  return [{ tone: 'quiet', text: say.closed }, ...left, ...waitingCheck(view), ...sends];
}

function webhookChecks({ store, why, now, words }: HealthView): Check[] {
  const { health: say } = words.store;
  const { lastAccepted, lastRefused, refusedInARow } = store.deliveries;
  const refused: Check[] =
    refusedInARow === 0 || lastRefused === null
      ? []
      : [{ tone: refusedInARow > 2 ? 'failing' : 'attention', text: `${say.refused(refusedInARow, since(lastRefused, now, words))} ${why ?? ''}`.trim() }];
  if (lastAccepted === null) return [...refused, { tone: refused.length > 0 ? 'quiet' : 'attention', text: say.noWebhook }];
  return [...refused, { tone: 'ok', text: say.webhooks(since(lastAccepted, now, words)) }];
}

function serviceChecks({ store: { pauses }, words }: HealthView): Check[] {
  const { health: say } = words.store;
  if (pauses.length === 0) return [{ tone: 'ok', text: say.service }];
  return [{ tone: 'failing', text: say.servicePaused, verb: html`<a class="verb" href="/console/destinations">${say.toService}</a>` }];
}

function orderChecks(view: HealthView): Check[] {
  const { store, maySet, mayChange, now, words } = view;
  const { health: say } = words.store;
  const settings = maySet ? { verb: html`<a class="verb" href="${addressOf(store)}/settings">${say.toSettings}</a>` } : {};
  const gaps = store.gapsOfSettings.map(({ kind, value, orders }): Check => {
    const what = value === null ? say.gapOf.none : say.gapOf[kind](value);
    return { tone: 'attention', text: say.gap(what, orders), ...settings };
  });
  const { oldSecretUntil } = store;
  const secret = mayChange ? { verb: html`<a class="verb second" href="${addressOf(store)}/secret">${say.toSecret}</a>` } : {};
  const overlap: Check[] = oldSecretUntil === null ? [] : [{ tone: 'quiet', text: say.overlap(leftUntil(oldSecretUntil, now, words)), ...secret }];
  return [...gaps, ...waitingCheck(view), ...overlap];
}

function waitingCheck({ store, words }: HealthView): Check[] {
  const { health: say } = words.store;
  const waiting = store.open.review + store.open.unconfirmed;
  if (waiting === 0) return [];
  return [
    {
      tone: 'attention',
      text: say.waiting(waiting),
      verb: html`<a class="verb second" href="/console/orders?store=${store.connectionId}&state=asked">${say.toOrders}</a>`,
    },
  ];
}

function hostChecks({ store, mayChange, words }: HealthView): Check[] {
  const { health: say } = words.store;
  const held = store.hosts.filter(({ verdict }) => verdict === 'held');
  return held.map(({ host }): Check => {
    const fields = html`<input type="hidden" name="host" value="${host}">${seen('held')}`;
    const verb = html`<form class="verbs" method="post" action="${addressOf(store)}/host">${fields}<button name="verdict" value="ours">${say.ours}</button><button class="second" name="verdict" value="not-ours">${say.notOurs}</button></form>`;
    return { tone: 'attention', text: say.held(host), ...(mayChange ? { verb } : {}) };
  });
}

function remarks({ store }: HealthView): Check[] {
  return store.remarks.map((text) => ({ tone: 'attention', text }));
}
