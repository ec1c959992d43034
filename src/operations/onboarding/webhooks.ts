import { appOf, type Connection } from '../../bridge/connections/connection.ts';
import { PING_TOPIC } from '../../bridge/intake/traffic.ts';
import { writeBridgeActs } from '../../bridge/ledger/bridge-acts.ts';
import { callStoreAgain } from '../../bridge/ledger/sync/store-calls.ts';
import { Failure } from '../../bridge/order/facts/failure.ts';
import { READ_TOPIC } from '../../bridge/reconciliation/read-page.ts';
import type { WatchDeps } from '../../bridge/reconciliation/watch-subscriptions.ts';
import type { FetchJson, StoreAccess } from '../../bridge/storefronts/contract.ts';
import type { StoreProblem } from '../../bridge/storefronts/onboarding.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { refusalIn, type StoreDenial } from '../../bridge/storefronts/store-failure.ts';
import { calledStore } from '../../bridge/storefronts/store-host.ts';
import type { Subscription } from '../../bridge/storefronts/store-reader.ts';
import type { LocalizedText } from '../../contract/messages.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import type { FindConnection } from '../connections/known-connection.ts';
import { newSecret, rotateSecret } from '../connections/store-secrets.ts';
import { type ListedDelivery, listDeliveries } from '../connections/store-webhooks.ts';
import { Refusal } from '../refusal.ts';
import { LookedAfter, NotListed, showSubscriptions } from '../subscriptions/show-subscriptions.ts';
import { codeWords } from '../words.ts';
import { onboardingOf, storeMeansNow } from './store.ts';

type Deps = { pool: Pool; connections: FindConnection; stores: { watch: WatchDeps; fetchJson: FetchJson } };

/** made: those of the store by now, and the topics without one. busy: another press makes them still. failed: why, for the merchant; `problem` null: the words alone say it. */
export type MadeWebhooks =
  | { kind: 'made'; webhooks: Subscription[]; missing: string[] }
  | { kind: 'busy' }
  | { kind: 'failed'; words: LocalizedText; problem: StoreProblem | null };

const LONGEST_MS = 60_000;
/** Who pressed twice waits so long for their other press; then the page says what goes on. */
const TIMEOUT_MS = 5_000;

/** Makes the webhooks of a store by its API, those that close its gaps, too, and reads them back; repeating it makes what is missing. */
export async function makeWebhooks({ pool, connections, stores }: Deps, { id, access }: Pick<Connection, 'id' | 'access'>, by: Actor): Promise<MadeWebhooks> {
  // A store that failed is called at once, because somebody looks at it now.
  if (access !== null) await callStoreAgain(pool, calledStore(id, access));
  const asked = { id, repair: true, allTopics: true, timeoutMs: TIMEOUT_MS, by, signal: AbortSignal.timeout(LONGEST_MS) };
  try {
    const { subscriptions, problems } = await showSubscriptions({ pool, watch: stores.watch, storefronts, connections }, asked);
    return { kind: 'made', webhooks: subscriptions, missing: problems.filter(({ kind }) => kind !== 'left-over').map(({ topic }) => topic) };
  } catch (thrown) {
    if (thrown instanceof LookedAfter) return { kind: 'busy' };
    const denial = thrown instanceof NotListed ? thrown.denial : null;
    const problem = denial === null ? null : denialProblem(denial, appOf(access) !== null);
    if (thrown instanceof Refusal) return { kind: 'failed', words: thrown.said, problem };
    throw thrown;
  }
}

/** Whether somebody's press makes or checks the webhooks of a store now, or the program looks after them. */
export function areLookedAfter({ stores }: Pick<Deps, 'stores'>, { id }: Pick<Connection, 'id'>): Promise<boolean> {
  return stores.watch.ledger.isLeased(id);
}

/** none: there is no order. refused: why, for the merchant; `problem` null: the words alone say it. */
export type Resaved = { kind: 'resaved' } | { kind: 'none' } | { kind: 'refused'; words: LocalizedText; problem: StoreProblem | null };

type ToResave = Pick<Connection, 'id' | 'platform' | 'access'>;

/** Saves the newest order as it is, so that the store sends a webhook. The audit log has it, also where it is not known whether the order was saved. */
export async function resaveOrder({ pool, stores }: Pick<Deps, 'pool' | 'stores'>, { id, platform, access }: ToResave, by: Actor): Promise<Resaved> {
  const resave = onboardingOf(platform)?.resave;
  if (resave === undefined || access === null) return { kind: 'none' };
  const tell = (after: object) => writeBridgeActs(pool, [{ who: by, act: 'store.resaved', connectionId: id, subject: id, after }]);
  try {
    const order = await resave(access, storeMeansNow({ stores }));
    if (order === null) return { kind: 'none' };
    await tell({ order });
    return { kind: 'resaved' };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    await tell({ failed: thrown.code });
    return { kind: 'refused', words: notSaved(thrown), problem: resaveProblem(thrown, access) };
  }
}

/** Null: the person who runs the service must look. */
function resaveProblem(failure: Failure, access: StoreAccess): StoreProblem | null {
  const refusal = refusalIn(failure);
  if (refusal === null) return { code: 'unreachable' };
  return refusal.denial === null ? null : denialProblem(refusal.denial, appOf(access) !== null);
}

function notSaved({ code, message }: Failure): LocalizedText {
  return { en: `the store did not save its newest order: ${message}`, bg: `магазинът не запази най-новата си поръчка: ${codeWords(code, 'bg').means}` };
}

const problems = { frozen: 'shop.frozen', locked: 'shop.locked', blocked: 'firewall', app: 'app.refused' } as const;

/** Why a store refuses, for its merchant. `byApp`: they let an app in, so that there are no keys to type again. */
function denialProblem(denial: StoreDenial, byApp: boolean): StoreProblem {
  if (denial !== 'key') return { code: problems[denial] };
  return { code: byApp ? 'grant.ended' : 'keys.refused' };
}

type ReceivedDeps = { pool: Pool; connections: FindConnection; stores: { watch: Pick<WatchDeps, 'ledger'> } };

/** What came of a store, which says of itself whether it is set up. */
export type Received = {
  /** The last that was signed, and could be read. `order`: what people call the one that it was about, if that is known by now. */
  good: { at: string; order: string | null } | null;
  /** What came after it and was refused, or could not be read; null: nothing. `detail`: of a body that can't be read. */
  bad: { at: string; code: string; detail: string | null } | null;
};

const LOOKED_AT = 200;
const UNREADABLE = new Set(['payload.unreadable', 'delivery.unrecordable']);

/** The newest deliveries of a connection, as its merchant is told. Orders that were read from the store are none: they prove no webhook. */
export async function receivedFrom(deps: ReceivedDeps, { id }: Pick<Connection, 'id'>): Promise<Received> {
  const newest = (await listDeliveries(deps, { id, refused: false, limit: LOOKED_AT })).filter(({ topic }) => topic !== READ_TOPIC);
  const good = newest.find((one) => !isBad(one));
  const [last] = newest;
  const bad = last !== undefined && isBad(last) ? { at: last.at, code: last.code ?? '', detail: last.result === 'refused' ? null : last.detail } : null;
  return { good: good === undefined ? await goodLongAgo(deps, id) : { at: good.at, order: good.order?.number ?? null }, bad };
}

/** Of deliveries that are no longer listed. */
async function goodLongAgo({ stores }: ReceivedDeps, id: string): Promise<Received['good']> {
  const accepted = [...(await stores.watch.ledger.accepted(id))].filter(([topic]) => topic !== PING_TOPIC).map(([, at]) => at);
  const at = accepted.sort().at(-1);
  return at === undefined ? null : { at, order: null };
}

function isBad({ code, result }: ListedDelivery): boolean {
  return result === 'refused' || UNREADABLE.has(code ?? '');
}

/** A new secret for the webhooks of a store, which is shown once. The old one ends at once while nothing good came with it. */
export async function freshSecret(
  deps: ReceivedDeps & Parameters<typeof rotateSecret>[0],
  { id, platform }: Pick<Connection, 'id' | 'platform'>,
  by: Actor,
): Promise<string> {
  const secret = newSecret(platform);
  if (secret === null) throw new Error(`stores of ${platform} have secrets of their own`);
  const { good } = await receivedFrom(deps, { id });
  await rotateSecret(deps, { id, secret, revokeNow: good === null, by });
  return secret;
}
