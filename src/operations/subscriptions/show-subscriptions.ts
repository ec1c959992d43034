import type { Connection } from '../../bridge/connections/connection.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import type { SubscriptionProblem, SubscriptionProblemKind } from '../../bridge/reconciliation/evaluate-subscriptions.ts';
import { takeWatch, watchedStore } from '../../bridge/reconciliation/watch-due.ts';
import { type WatchDeps, type WatchedStore, type WatchResult, watchStore } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { Storefronts } from '../../bridge/storefronts/contract.ts';
import { storefrontOf } from '../../bridge/storefronts/registry.ts';
import type { StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import type { Subscription } from '../../bridge/storefronts/store-reader.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
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
  problems: { topic: string; kind: SubscriptionProblemKind; words: string; todo: string }[];
  advice: string[];
  /** Topics whose webhook was made anew. */
  repaired: string[];
  /** Why not all was repaired that should be; null: nothing kept it. */
  stopped: string | null;
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
    throw new Refusal('misconfigured', {
      en: 'webhooks can’t be made, because their address is not known',
      bg: 'известията не могат да бъдат създадени, защото адресът им не е известен',
      advice: {
        en: 'set PUBLIC_URL to the address under which stores on the internet reach this server',
        bg: 'задайте в PUBLIC_URL адреса, на който магазините достигат този сървър',
      },
    });
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
  throw new Refusal('invalid', {
    en: `${id} has no access to its store’s API`,
    bg: `${id} няма достъп до API на магазина`,
    advice: `\`orderbridge reconnect ${id}\` takes --store-url and the keys`,
  });
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
    super('unavailable', {
      en: `another process looks after the webhooks of ${id}`,
      bg: `друг процес се грижи за известията на ${id}`,
      advice: { en: 'try again in two minutes', bg: 'опитайте отново след две минути' },
    });
  }
}

const TIMEOUT_MS = 15_000;

function todoOf({ topic, kind, repairs: by, ids }: SubscriptionProblem, { store, address }: { store: WatchedStore; address: string | null }): string {
  const { connection, subscriptions } = store;
  if (kind === 'not-arriving') return NOT_ARRIVING;
  if (kind === 'missing' && by === 'nothing') return toConfigure(connection);
  const repairs = `\`orderbridge subscriptions ${connection.id} --repair\` does it with a key that may write`;
  const those = `${ids.length === 1 ? 'the webhook' : 'the webhooks'} ${ids.join(', ')}`;
  if (kind === 'left-over') return `delete ${those} in the store; ${repairs}`;
  const steps = subscriptions.steps({ topic, address: address ?? 'the address that `orderbridge connect` printed' });
  return `${steps}${ids.length === 0 ? '' : ` Then delete ${those}.`} Or: ${repairs}`;
}

function toConfigure({ platform, app }: Connection): string {
  const print = `\`orderbridge ${platform}-app print ${app ?? 'APP'}\``;
  return `print the configuration of the app with ${print}, and release it with the tools of the platform; orders that were missed are read by the API`;
}

const NOT_ARRIVING =
  'check that PUBLIC_URL is reached from the internet without a redirect, that the secret is the same on both sides, and that the store’s clock is right; orders that were missed are read by the API';
