import { MODULE_TOPIC, PING_TOPIC } from '../intake/traffic.ts';
import { withoutEndSlashes } from '../storefronts/store-host.ts';
import type { Narrowed, Subscription } from '../storefronts/store-reader.ts';

/** What the webhooks of a connection must be, and what came of them. Instants are ISO. */
export type ExpectedSubscriptions = {
  connectionId: string;
  /** Where they must go; null: that is not known here, because PUBLIC_URL is not set. */
  address: string | null;
  /** The address for all stores of an app, where webhooks of this connection may go, too; null: there is none. */
  appAddress: string | null;
  topics: readonly string[];
  /** Those that are good to have. */
  alsoTopics: readonly string[];
  /** Those that the app's configuration subscribes to: no list shows them, and what the list has of them is left alone. */
  configured: readonly string[];
  hidesOthers: boolean;
  /** When the last delivery of each topic was accepted, and the last ping. */
  accepted: ReadonlyMap<string, string>;
  /** From when on that was noted. */
  since: string;
  /** When reading the store last found a paid order that no webhook announced; null: it never did. */
  missedAt: string | null;
  /** ms since 1970, of the list. */
  now: number;
};

/**
 * missing: no webhook has the topic. disabled: by the store. paused: by a person. wrong-address: it goes to another server of ours, or an earlier one.
 * narrowed: it brings some events or fields alone, or a format that is not read. not-arriving: the store tried to deliver, nothing came, and reading it found what was to come. left-over: a dead one beside one that works.
 */
export type SubscriptionProblemKind = 'missing' | 'disabled' | 'paused' | 'wrong-address' | 'narrowed' | 'not-arriving' | 'left-over';

/** What repairs it. itself: a new webhook, without a question. request: a new one, if a person says so. nothing: it is not the webhook. */
export type Repairs = 'itself' | 'request' | 'nothing';

/** What is wrong with the webhooks of one topic. `creates`: repairing begins with a new one. `ids`: those that are removed when another one works. */
export type SubscriptionProblem = { topic: string; kind: SubscriptionProblemKind; words: string; repairs: Repairs; creates: boolean; ids: string[] };

/** `ours`: those whose address bears the connection's id. `advice`: what would be good to have. */
export type Evaluated = { ours: Subscription[]; problems: SubscriptionProblem[]; advice: string[] };

/** The store's clock and ours may differ, and an attempt takes its time. */
const SLACK_MS = 60_000;

/** Webhooks that a module took the place of may deliver for a while what was queued before. */
const QUEUED_MS = 60 * 60_000;

/** Whether a module in the store delivers, in place of webhooks that it paused: none came without it since, and reading the store found nothing that did not come. */
function isByModule({ accepted, missedAt }: ExpectedSubscriptions): boolean {
  const at = Date.parse(accepted.get(MODULE_TOPIC) ?? '');
  const others = [...accepted].flatMap(([topic, last]) => (topic === PING_TOPIC ? [] : [Date.parse(last)]));
  return Math.max(...others) <= at + QUEUED_MS && (missedAt === null || Date.parse(missedAt) <= at);
}

/** What is wrong with the webhooks that a store lists, topic by topic. Those that bear no id of this connection are nobody's business. */
export function evaluateSubscriptions(listed: readonly Subscription[], watched: ExpectedSubscriptions): Evaluated {
  const ours = listed.filter(({ address }) => bears(address, watched.connectionId));
  const app = listed.filter(({ address }) => watched.appAddress !== null && sameAddress(address, watched.appAddress));
  const has = (topic: string) => ours.some((one) => one.topic === topic);
  const evaluated = [...watched.topics, ...watched.alsoTopics.filter(has)];
  const problems = evaluated.flatMap((topic) => {
    const of = { ours: ours.filter((one) => one.topic === topic), app: app.filter((one) => one.topic === topic), anyOurs: ours.length > 0 };
    return problemsOf(topic, of, watched);
  });
  return { ours, problems: [...problems, ...silent(watched)], advice: adviceOf(ours, watched) };
}

/** Of a configuration that can't be listed only this is known: nothing ever came, though reading the store found what was to come. */
function silent({ configured, accepted, missedAt }: ExpectedSubscriptions): SubscriptionProblem[] {
  if (accepted.size > 0 || missedAt === null) return [];
  return configured.map((topic) => ({ topic, kind: 'missing', words: subscriptionWords.notConfigured, repairs: 'nothing', creates: false, ids: [] }));
}

type OfTopic = { ours: readonly Subscription[]; app: readonly Subscription[]; anyOurs: boolean };

function problemsOf(topic: string, { ours, app, anyOurs }: OfTopic, watched: ExpectedSubscriptions): SubscriptionProblem[] {
  const here = ours.filter(({ address }) => watched.address === null || sameAddress(address, watched.address));
  const narrowed = here.filter(bringsNotAll);
  const right = [...here, ...app].filter((one) => !bringsNotAll(one));
  const active = right.filter(({ state }) => state === 'active');
  if (active.length > 0) return [...notArriving(topic, active, watched), ...besides(topic, { ours, active, narrowed })];
  if (isByModule(watched)) return [];
  const found = (kind: SubscriptionProblemKind, words: string, repairs: Repairs): SubscriptionProblem[] => [
    { topic, kind, words, repairs, creates: true, ids: idsOf(ours) },
  ];
  if (right.some(({ state }) => state === 'paused')) return found('paused', subscriptionWords.paused, 'request');
  // One that goes elsewhere is a person's matter, whatever became of this one.
  const ids = idsOf(ours.filter((one) => right.includes(one)));
  if (right.length > 0) return found('disabled', subscriptionWords.disabled, 'itself').map((one) => ({ ...one, ids }));
  const [less] = narrowed;
  if (less !== undefined) return found('narrowed', subscriptionWords.narrowed(less.narrowed), 'itself').map((one) => ({ ...one, ids: idsOf(narrowed) }));
  const [elsewhere] = ours;
  if (elsewhere !== undefined) return found('wrong-address', subscriptionWords.elsewhere(shown(elsewhere.address)), 'request');
  if (!watched.hidesOthers || anyOurs) return found('missing', subscriptionWords.missing, 'itself');
  return watched.accepted.size > 0 ? [] : found('missing', subscriptionWords.notKnown, 'request');
}

function bringsNotAll({ narrowed }: Subscription): boolean {
  return narrowed !== undefined;
}

/** What is left of ours beside those that work: dead ones and those that don't bring all are taken away; one that another server gets is a person's matter. */
function besides(topic: string, { ours, active, narrowed }: Record<'ours' | 'active' | 'narrowed', readonly Subscription[]>): SubscriptionProblem[] {
  const dead = ours.filter(({ state }) => state === 'disabled');
  const elsewhere = ours.filter((one) => one.state === 'active' && !active.includes(one) && !narrowed.includes(one));
  const [first] = elsewhere;
  const less = narrowed.filter(({ state }) => state !== 'disabled');
  const removed = (ids: readonly Subscription[], problem: Pick<SubscriptionProblem, 'kind' | 'words' | 'repairs'>): SubscriptionProblem[] =>
    ids.length === 0 ? [] : [{ topic, ...problem, creates: false, ids: idsOf(ids) }];
  return [
    ...removed(dead, { kind: 'left-over', words: subscriptionWords.leftOver, repairs: 'itself' }),
    ...removed(less, { kind: 'narrowed', words: subscriptionWords.narrowed(less[0]?.narrowed), repairs: 'itself' }),
    ...removed(elsewhere, { kind: 'wrong-address', words: subscriptionWords.another(shown(first?.address ?? '')), repairs: 'request' }),
  ];
}

function notArriving(topic: string, active: readonly Subscription[], { accepted, since, missedAt, now }: ExpectedSubscriptions): SubscriptionProblem[] {
  // What was tried a moment ago may not be noted yet.
  const tried = active.flatMap(({ attemptedAt }) => (attemptedAt === null ? [] : Date.parse(attemptedAt))).filter((at) => at < now - SLACK_MS);
  const last = accepted.get(topic);
  // That the store tried the address of a new webhook counts as an attempt there, and names no topic here.
  const known = Math.max(...[since, last, accepted.get(PING_TOPIC)].flatMap((at) => (at === undefined ? [] : Date.parse(at))));
  const latest = Math.max(0, ...tried);
  // A person who saves its form moves that time, too, and a clock may be ahead: only what is missed here proves that nothing came.
  if (latest <= known + SLACK_MS || missedAt === null || Date.parse(missedAt) < latest) return [];
  const words = subscriptionWords.notArriving(new Date(latest).toISOString(), last ?? null);
  return [{ topic, kind: 'not-arriving', words, repairs: 'nothing', creates: false, ids: [] }];
}

function adviceOf(ours: readonly Subscription[], { topics, alsoTopics, configured }: ExpectedSubscriptions): string[] {
  const absent = alsoTopics.filter((topic) => !ours.some((one) => one.topic === topic));
  const strange = ours.filter(({ topic }) => ![...topics, ...alsoTopics, ...configured].includes(topic));
  return [
    ...(absent.length === 0 ? [] : [subscriptionWords.goodToHave(absent.join(', '))]),
    ...strange.map(({ id, topic }) => subscriptionWords.strange(id, topic)),
    ...new Set(ours.flatMap(({ remark }) => remark ?? [])),
  ];
}

function idsOf(subscriptions: readonly Subscription[]): string[] {
  return subscriptions.map(({ id }) => id);
}

/** Whether a part of the address's path is the connection's id, whatever server it names. */
function bears(address: string, connectionId: string): boolean {
  return URL.parse(address)?.pathname.split('/').includes(connectionId) === true;
}

export function sameAddress(one: string, other: string): boolean {
  const [left, right] = [URL.parse(one), URL.parse(other)];
  return left !== null && right !== null && left.origin === right.origin && pathOf(left) === pathOf(right);
}

function pathOf({ pathname, search }: URL): string {
  return withoutEndSlashes(pathname) + search;
}

/** Without a password or a query that a person may have put there. */
function shown(address: string): string {
  const url = URL.parse(address);
  return url === null ? 'an address that is none' : `${url.origin}${url.pathname}`;
}

const narrowed: Record<Narrowed, string> = {
  filter: 'its webhook has a filter, which keeps orders back',
  fields: 'its webhook brings some fields alone',
  format: 'its webhook has another format than JSON',
};

/** What is wrong with the webhooks of a topic, and what would be good to have, as the command line says it. */
export const subscriptionWords = {
  paused: 'a person paused its webhook',
  disabled: 'the store disabled its webhook, which it does after deliveries failed',
  elsewhere: (address: string) => `its webhook goes to ${address}`,
  another: (address: string) => `another webhook goes to ${address}`,
  narrowed: (by: Narrowed | undefined) => narrowed[by ?? 'filter'],
  missing: 'the store has no webhook for it',
  notKnown: 'no webhook for it is known',
  notConfigured: 'the configuration of its app should bring it, and nothing ever came',
  leftOver: 'a disabled webhook is left beside one that works',
  notArriving: (tried: string, last: string | null) =>
    `the store tried to deliver at ${tried}, but ${last === null ? 'none was accepted yet' : `the last that was accepted came at ${last}`}`,
  otherProcess: 'another process looks after them',
  mayNotChange: (detail: string) => `the key may not change webhooks (${detail})`,
  refused: 'the key may not change webhooks; that is tried again once a day',
  failed: (code: string, detail: string) => `${code}: ${detail}`,
  goodToHave: (topics: string) => `good to have, too: ${topics}`,
  strange: (id: string, topic: string) => `the webhook ${id} has the topic ${topic}, which is not needed: check that it is not meant to be another one`,
};
