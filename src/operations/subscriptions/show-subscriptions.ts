import type { Connection } from '../../bridge/connections/connection.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import type { SubscriptionProblemKind, SubscriptionProblem } from '../../bridge/reconciliation/evaluate-subscriptions.ts';
import { takeWatch, watchedStore } from '../../bridge/reconciliation/watch-due.ts';
import { type WatchDeps, type WatchResult, type WatchedStore, watchStore } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { Storefronts } from '../../bridge/storefronts/contract.ts';
import { storefrontOf } from '../../bridge/storefronts/registry.ts';
import type { StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import type { Subscription } from '../../bridge/storefronts/store-reader.ts';
import type { Lang, LocalizedText } from '../../contract/said.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { requireLive } from '../connections/reconnect-store.ts';
import { Refusal } from '../refusal.ts';
import { codeWords } from '../words.ts';

type Deps = { pool: Pool; watch: WatchDeps; storefronts: Storefronts; connections: FindConnection };

export type SubscriptionsReport = {
  connectionId: string;
  /** Where its webhooks must go; null: PUBLIC_URL is not set. */
  address: string | null;
  /** Those whose address bears the connection's id. `acceptedAt`: when the last delivery of the topic was accepted here. */
  subscriptions: (Subscription & { acceptedAt: string | null })[];
  problems: { topic: string; kind: SubscriptionProblemKind; words: LocalizedText; todo: LocalizedText }[];
  advice: LocalizedText[];
  /** Topics whose webhook was made anew. */
  repaired: string[];
  /** Why not all was repaired that should be; null: nothing kept it. */
  stopped: LocalizedText | null;
};

/** `allTopics`: those that are good to have are made, too. `timeoutMs`: how long another process is waited for that looks after them. */
type SubscriptionsRequest = { id: string; repair: boolean; allTopics?: boolean; timeoutMs?: number; by: Actor; signal: AbortSignal };

/** Lists the webhooks of a connection's store, and with `repair` makes those anew that don't work, paused ones and those with another address, too. */
export async function showSubscriptions(deps: Deps, asked: SubscriptionsRequest): Promise<SubscriptionsReport> {
  const { repair, allTopics = false, timeoutMs = TIMEOUT_MS, by, signal } = asked;
  const connection = await knownConnection(deps.connections, asked.id);
  const { id } = connection;
  requireLive(connection);
  const store = watchedStore(deps.storefronts, connection) ?? refuse(deps, connection);
  const address = deps.watch.addressOf(connection);
  if (repair && address === null) {
    throw new Refusal(
      'misconfigured',
      { en: 'webhooks can’t be made, because their address is not known', bg: 'известията не могат да бъдат създадени, защото адресът им не е известен' },
      {
        advice: {
          en: 'set PUBLIC_URL to the address under which stores on the internet reach this server',
          bg: 'задайте в PUBLIC_URL адреса, на който магазините достигат този сървър',
        },
      },
    );
  }
  const watch = await takeWatch(deps.watch, id, { timeoutMs, signal });
  if (watch === null) throw new LookedAfter(id);
  // What is at the store is not in the database: written first, so that nothing is made unwritten.
  if (repair) await writeBridgeActs(deps.pool, [{ who: by, act: 'webhooks.repaired', connectionId: id }]);
  const watched = await watchStore(deps.watch, { watch, store }, { repair: repair ? 'all' : 'nothing', allTopics, signal });
  if (watched.kind === 'not-listed') {
    throw new NotListed(watched);
  }
  const accepted = await deps.watch.ledger.accepted(id);
  const { ours, problems, advice, repaired, stopped } = watched;
  return {
    ...{ connectionId: id, address, advice, repaired, stopped },
    subscriptions: ours.map((one) => ({ ...one, acceptedAt: accepted.get(one.topic) ?? null })),
    problems: problems.map((problem) => ({ topic: problem.topic, kind: problem.kind, words: problem.words, todo: todoOf(problem, { store, address }) })),
  };
}

function refuse(deps: Deps, { id, platform, access }: Connection): never {
  const { api } = storefrontOf(deps.storefronts, platform);
  if (api?.subscriptions === undefined)
    throw new Refusal('invalid', {
      en: `webhooks of a ${platform} store can’t be listed: look at them in the store`,
      bg: `известията на магазин на ${platform} не могат да бъдат проверени оттук: вижте ги в магазина`,
    });
  if (access !== null)
    throw new Refusal('misconfigured', {
      en: `the access of ${id} to its store’s API can’t be read`,
      bg: `достъпът на ${id} до API на магазина не може да бъде разчетен`,
    });
  throw new Refusal(
    'invalid',
    { en: `${id} has no access to its store’s API`, bg: `${id} няма достъп до API на магазина` },
    { advice: { en: `\`orderbridge reconnect ${id}\` takes --store-url and the keys`, bg: `\`orderbridge reconnect ${id}\` приема --store-url и ключовете` } },
  );
}

/** The store did not list its webhooks. `denial`: who can mend it; null: that is not known. */
export class NotListed extends Refusal {
  readonly denial: StoreDenial | null;

  constructor({ code, detail, denial }: Extract<WatchResult, { kind: 'not-listed' }>) {
    super('unavailable', {
      en: `the store did not list its webhooks: ${code}: ${detail}`,
      bg: `магазинът не показа известията си: ${codeWords(code, 'bg').means}`,
    });
    this.denial = denial;
  }
}

/** Somebody else lists the webhooks of this connection, or makes them, now. */
export class LookedAfter extends Refusal {
  constructor(id: string) {
    super(
      'unavailable',
      { en: `another process looks after the webhooks of ${id}`, bg: `друг процес се грижи за известията на ${id}` },
      { advice: { en: 'try again in two minutes', bg: 'опитайте отново след две минути' } },
    );
  }
}

const TIMEOUT_MS = 15_000;

function todoOf({ topic, kind, repairs: by, ids }: SubscriptionProblem, { store, address }: { store: WatchedStore; address: string | null }): LocalizedText {
  const { connection, subscriptions } = store;
  if (kind === 'not-arriving') return NOT_ARRIVING;
  if (kind === 'missing' && by === 'nothing') return toConfigure(connection);
  const repair = `\`orderbridge subscriptions ${connection.id} --repair\``;
  const repairs = { en: `${repair} does it with a key that may write`, bg: `${repair} го прави с ключ, който може да записва` };
  const those = named(ids);
  if (kind === 'left-over') return { en: `delete ${those.en} in the store; ${repairs.en}`, bg: `изтрийте в магазина ${those.bg}; ${repairs.bg}` };
  const where = address ?? UNKNOWN_ADDRESS;
  const then = { en: ` Then delete ${those.en}.`, bg: ` После изтрийте ${those.bg}.` };
  const inLang = (lang: Lang) =>
    subscriptions.steps({ topic, address: typeof where === 'string' ? where : where[lang] })[lang] + (ids.length === 0 ? '' : then[lang]);
  return { en: `${inLang('en')} Or: ${repairs.en}`, bg: `${inLang('bg')} Или: ${repairs.bg}` };
}

function toConfigure({ platform, app }: Connection): LocalizedText {
  const print = `\`orderbridge ${platform}-app print ${app ?? 'APP'}\``;
  return {
    en: `print the configuration of the app with ${print}, and release it with the tools of the platform; orders that were missed are read by the API`,
    bg: `изведете конфигурацията на приложението с ${print} и я публикувайте с инструментите на платформата; пропуснатите поръчки се прочитат чрез API`,
  };
}

const UNKNOWN_ADDRESS: LocalizedText = { en: 'the address that `orderbridge connect` printed', bg: 'адресът, който показа `orderbridge connect`' };

const NOT_ARRIVING: LocalizedText = {
  en: 'check that PUBLIC_URL is reached from the internet without a redirect, that the secret is the same on both sides, and that the store’s clock is right; orders that were missed are read by the API',
  bg: 'проверете дали PUBLIC_URL се отваря от интернет без пренасочване, дали тайната е еднаква от двете страни и дали часовникът на магазина е верен; пропуснатите поръчки се прочитат чрез API',
};

function named(ids: readonly string[]): LocalizedText {
  const list = ids.join(', ');
  return ids.length === 1 ? { en: `the webhook ${list}`, bg: `известието ${list}` } : { en: `the webhooks ${list}`, bg: `известията ${list}` };
}
