import { codeWords } from '../../../operations/words/code-words.ts';
import { html } from '../../../web/html.ts';
import { since } from '../../frame/parts.ts';
import type { Check, HealthView } from './health-check.ts';
import { addressOf } from './store-parts.ts';

/** The store's webhooks as they were listed last. */
export function subscriptionChecks(view: HealthView): Check[] {
  const { store, now, words } = view;
  const { health: say } = words.store;
  const { watch, api } = store;
  if (!api.listsWebhooks) return [{ tone: 'quiet', text: say.unlisted }];
  if (!api.hasAccess) return [{ tone: 'quiet', text: say.noKeyToList }];
  const look = verb(view, 'look');
  if (watch === null || (watch.listedAt === null && watch.error === null)) return [{ tone: 'quiet', text: say.neverListed, ...look }];
  const error: Check[] = watch.error === null ? [] : [{ tone: 'attention', text: quoted(view, say.notListed, watch.error), ...look }];
  const alike = Map.groupBy(watch.problems, ({ kind }) => kind);
  const problems = [...alike].map(([kind, of]): Check => {
    const isBad = kind !== 'left-over' && kind !== 'not-arriving';
    const text = say.problem(of.map(({ topic }) => topic).join(', '), say.problems[kind]);
    return { tone: isBad ? 'failing' : 'attention', text, ...(of.some(({ heals }) => heals !== 'nothing') ? verb(view, 'heal') : look) };
  });
  if (error.length + problems.length > 0) return [...error, ...problems];
  return [{ tone: 'ok', text: say.listed(since(watch.listedAt, now, words)), ...look }];
}

function verb({ store, mayDecide, words }: HealthView, what: 'heal' | 'look'): Pick<Check, 'verb'> {
  if (!mayDecide) return {};
  const { health: say } = words.store;
  const button = what === 'heal' ? html`<button>${say.heal}</button>` : html`<button class="second">${say.look2}</button>`;
  return {
    verb: html`<form method="post" action="${addressOf(store)}/webhooks"><input type="hidden" name="what" value="${what}">${button}</form>`,
  };
}

/** The key of its API, and what was read with it. */
export function apiChecks(view: HealthView): Check[] {
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
