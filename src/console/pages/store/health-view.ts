import { capitalized } from '../../../contract/local-text.ts';
import { codeWords } from '../../../operations/words.ts';
import { button, formTo } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import { coded, pageWords, since, type Tone, tag, withoutCommands } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import { addressOf, leftUntil, type ShownStore } from './store-parts.ts';

/** What is right and wrong of a store, the worst first. */
export function healthView(view: HealthView): Html {
  const { health: say } = view.words.store;
  const checks = view.store.state === 'connected' ? ofLive(view) : ofClosed(view);
  const order: readonly Tone[] = ['failing', 'attention', 'quiet', 'ok'];
  const sorted = checks.toSorted((a, b) => order.indexOf(a.tone) - order.indexOf(b.tone));
  const marks: Readonly<Record<Tone, string>> = { ok: say.ok, attention: say.look, failing: say.wrong, quiet: say.known };
  const first = sorted.find(({ act }) => act !== undefined);
  const press = (check: Check) => check.act?.(check === first ? {} : { class: 'second' }) ?? check.verb ?? nothing;
  return html`<h2>${say.title}</h2>
<ul class="reasons health">
${lines(sorted.map((check) => html`<li><span>${tag(marks[check.tone], check.tone)} ${coded(pageWords(withoutCommands(check.text), view.words.lang))}</span>${press(check)}</li>`))}</ul>
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
  const start = mayChange ? { act: linkTo(`${addressOf(store)}/start`, say.verb) } : {};
  return [{ tone: 'attention', text: say.onTrial(since(store.trialSince, now, words)), ...start }];
}

function ofClosed(view: HealthView): Check[] {
  const { store, words } = view;
  const { health: say } = words.store;
  const { pending, review, unconfirmed } = store.open;
  const isDone = pending + review + unconfirmed === 0;
  const left: Check[] = isDone ? [{ tone: 'ok', text: say.nothingOpen }] : pending === 0 ? [] : [{ tone: 'attention', text: say.pending(pending) }];
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
  return [{ tone: 'failing', text: say.servicePaused, act: linkTo('/console/destinations', say.toService) }];
}

function orderChecks(view: HealthView): Check[] {
  const { store, maySet, mayChange, now, words } = view;
  const { health: say } = words.store;
  const settings = maySet ? { act: linkTo(`${addressOf(store)}/settings`, say.toSettings) } : {};
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
  const quarantined = store.hosts.filter(({ ownership }) => ownership === 'quarantined');
  return quarantined.map(({ host }): Check => {
    const notOurs = button(say.notOurs, { class: 'second', name: 'ownership', value: 'not-ours' });
    const act = (rank: Rank) => {
      const buttons = [button(say.ours, { ...rank, name: 'ownership', value: 'ours' }), notOurs];
      return formTo(`${addressOf(store)}/host`, { class: 'verbs', seen: 'quarantined', hidden: { host }, buttons });
    };
    return { tone: 'attention', text: say.quarantined(host), ...(mayChange ? { act } : {}) };
  });
}

function remarks({ store }: HealthView): Check[] {
  return store.remarks.map((text) => ({ tone: 'attention', text: capitalized(text) }));
}

/** `mayDecide`, `maySet`, `mayChange`: the rights of who looks. `why`: why webhooks are refused, in words. */
type HealthView = { store: ShownStore; mayDecide: boolean; maySet: boolean; mayChange: boolean; why: string | null; now: Date; words: Words };

/** The first thing to do is the thing to press, all others are second. */
type Rank = { class?: 'second' };

/** One thing that is right or wrong, with what to do (`act`), or what may be done about it (`verb`). */
type Check = { tone: Tone; text: string; verb?: Html; act?: (rank: Rank) => Html };

function linkTo(path: string, label: string): (rank: Rank) => Html {
  return (rank) => html`<a class="${['verb', ...Object.values(rank)].join(' ')}" href="${path}">${label}</a>`;
}

/** The store's webhooks as they were listed last. */
function subscriptionChecks(view: HealthView): Check[] {
  const { store, now, words } = view;
  const { health: say } = words.store;
  const { watch, api } = store;
  if (!api.listsWebhooks) return [{ tone: 'quiet', text: say.unlisted }];
  if (!api.hasAccess) return [{ tone: 'quiet', text: say.noKeyToList }];
  const look = verb(view, 'look');
  if (watch === null || (watch.listedAt === null && watch.error === null)) return [{ tone: 'quiet', text: say.neverListed, ...look }];
  const error: Check[] = watch.error === null ? [] : [{ tone: 'attention', text: quoted(view, say.notListed, watch.error), ...look }];
  const similar = Map.groupBy(watch.problems, ({ kind }) => kind);
  const problems = [...similar].map(([kind, of]): Check => {
    const isBad = kind !== 'left-over' && kind !== 'not-arriving';
    const text = say.problem(of.map(({ topic }) => topic).join(', '), say.problems[kind]);
    return { tone: isBad ? 'failing' : 'attention', text, ...(of.some(({ repairs }) => repairs !== 'nothing') ? verb(view, 'repair') : look) };
  });
  if (error.length + problems.length > 0) return [...error, ...problems];
  return [{ tone: 'ok', text: say.listed(since(watch.listedAt, now, words)), ...look }];
}

function verb({ store, mayDecide, words }: HealthView, what: 'repair' | 'look'): Pick<Check, 'verb' | 'act'> {
  if (!mayDecide) return {};
  const { health: say } = words.store;
  const form = (press: Html) => formTo(`${addressOf(store)}/webhooks`, { hidden: { what }, buttons: [press] });
  return what === 'repair' ? { act: (rank) => form(button(say.repair, rank)) } : { verb: form(button(say.look2, { class: 'second' })) };
}

/** The key of its API, and what was read with it. */
function apiChecks(view: HealthView): Check[] {
  const { store, words } = view;
  const { health: say } = words.store;
  const { api, unread } = store;
  if (!api.takesKey) return [];
  if (!api.hasAccess) return [{ tone: 'quiet', text: say.noKey, ...keyVerb(view) }];
  const left: Check[] = unread === null ? [] : [{ tone: 'attention', text: say.unread(unread.count) }];
  return [keyCheck(view), ...readChecks(view), ...left];
}

function keyVerb({ store, mayChange, words }: HealthView): Pick<Check, 'verb'> {
  return mayChange ? { verb: html`<a class="verb second" href="${addressOf(store)}/keys">${words.store.health.changeKey}</a>` } : {};
}

function keyCheck(view: HealthView): Check {
  const { words } = view;
  const { health: say } = words.store;
  const { api, storePauses, read, watch } = view.store;
  const [pause] = storePauses;
  if (api.problem !== null) return { tone: 'failing', text: quoted(view, say.keyFails, api.problem), ...keyVerb(view) };
  if (pause !== undefined)
    return {
      tone: 'attention',
      text: say.keyPaused(words.lang === 'en' && view.mayDecide ? pause.detail : codeWords(pause.code, words.lang).means),
      ...keyVerb(view),
    };
  const isTried = read?.readAt != null || watch?.listedAt != null;
  return isTried ? { tone: 'ok', text: say.key } : { tone: 'quiet', text: say.keyGiven };
}

/** What a store said is read by those alone who may decide: it may name a buyer. */
function quoted({ mayDecide, words }: HealthView, say: (why: string) => string, why: string): string {
  return say(mayDecide ? why : words.store.health.unsaid);
}

function readChecks({ store: { read, overdue }, mayDecide, now, words }: HealthView): Check[] {
  const { health: say } = words.store;
  if (read === null) return [];
  const { count } = read.missed;
  const text = read.readAt === null ? say.neverRead : say.read(since(read.readAt, now, words));
  const missed = count === 0 ? '' : ` ${say.missed(count)}`;
  if (overdue !== null) {
    // What the store said may name a buyer.
    const why = read.lastSyncRun?.error ?? null;
    return [{ tone: 'attention', text: `${text} ${say.overdue}${why === null || !mayDecide ? '' : ` (${why})`}${missed}` }];
  }
  if (read.readAt === null) return [{ tone: 'quiet', text }];
  return [{ tone: count === 0 ? 'ok' : 'attention', text: `${text}${missed}` }];
}
