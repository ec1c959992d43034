import type { Said } from '../../contract/said.ts';
import type { FetchJson, StoreAccess, StoreMeans } from '../storefronts/contract.ts';
import type { Subscriptions } from '../storefronts/store-reader.ts';
import type { SubscriptionProblem } from './judge-subscriptions.ts';
import type { Called, SubscriptionCall } from './subscription-calls.ts';
import { subscriptionWords } from './subscription-words.ts';

/** The webhooks of one store, and how it is called for them. */
export type HealingStore = {
  subscriptions: Subscriptions;
  access: StoreAccess;
  /** Where webhooks must go. */
  address: string;
  call<T>(call: SubscriptionCall<T>): Promise<Called<T>>;
  means(fetchJson: FetchJson): Promise<StoreMeans>;
  /** A secret that is live already when this resolves. */
  secret(): Promise<string>;
  /** Before each step; false: another process looks after them by now. */
  goOn(): Promise<boolean>;
};

/** `stopped`: why the rest was not healed; null: all was. `isRefused`: the key may not change webhooks. */
export type Healing = { healed: string[]; stopped: Said | null; isRefused: boolean };

export type ToHeal = Pick<SubscriptionProblem, 'topic' | 'creates' | 'ids'>;

/**
 * Heals webhooks topic by topic: creates a new one, then removes those that it replaces. An old one is never activated again, because the store goes
 * on counting its failures. After a crash between any two steps, one webhook more than needed is left at most.
 */
export async function healSubscriptions(store: HealingStore, problems: readonly ToHeal[]): Promise<Healing> {
  const healed: string[] = [];
  const secret = store.subscriptions.hasSecrets && problems.some(({ creates }) => creates) ? await store.secret() : null;
  for (const problem of problems) {
    const stopped = await healTopic(store, problem, secret);
    if (stopped !== null) return { healed, ...stopped };
    healed.push(problem.topic);
  }
  return { healed: [...new Set(healed)], stopped: null, isRefused: false };
}

type Stopped = Pick<Healing, 'isRefused'> & { stopped: Said };

/** Null: it is healed. */
async function healTopic(store: HealingStore, { topic, creates, ids }: ToHeal, secret: string | null): Promise<Stopped | null> {
  const { subscriptions, access, address, means } = store;
  const steps: ((fetchJson: FetchJson) => Promise<unknown>)[] = [
    ...(creates ? [async (fetchJson: FetchJson) => subscriptions.create(access, { topic, address, secret }, await means(fetchJson))] : []),
    ...ids.map((id) => async (fetchJson: FetchJson) => subscriptions.remove(access, id, await means(fetchJson))),
  ];
  for (const run of steps) {
    if (!(await store.goOn())) return { stopped: subscriptionWords.otherProcess, isRefused: false };
    const called = await store.call({ writes: true, run });
    if (called.kind === 'refused') return { stopped: subscriptionWords.mayNotChange(called.detail), isRefused: true };
    if (called.kind === 'failed') return { stopped: subscriptionWords.failed(called.code, called.detail), isRefused: false };
  }
  return null;
}
