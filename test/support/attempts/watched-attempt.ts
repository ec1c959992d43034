import type { AttemptDeps } from '../../../src/bridge/delivery/attempt-ports.ts';
import type { Processed } from '../../../src/bridge/delivery/process-order.ts';
import type { Failure } from '../../../src/bridge/order/facts/failure.ts';
import type { storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { type AttemptCase, NOW, type Weather } from './attempt-cases.ts';
import { always, noKeys, storesAtHand } from './stores-at-hand.ts';

/** One call that an attempt made. */
type Call = { call: string; with?: unknown };

/** All that an attempt did, in its order, and how it ended. */
export type Watched = { calls: Call[]; end: Processed | { threw: string } };

/** The code that makes an attempt, with the class of the failures that it knows, and the storefronts that throw them. */
export type Visitor = {
  attempt(deps: AttemptDeps, input: { orderId: number; probe: boolean; fetches: AbortSignal; onSent: () => void }): Promise<Processed>;
  Failure: typeof Failure;
  storefronts: typeof storefronts;
};

/** Makes an attempt in the weather of its case. */
export async function watchAttempt({ claim, connection, probe, weather }: AttemptCase, visitor: Visitor): Promise<Watched> {
  const calls: Call[] = [];
  const saw = (call: string, about?: unknown) => void calls.push({ call, with: structuredClone(about) });
  const coming = structuredClone(weather);
  const deps: AttemptDeps = {
    ledger: {
      claim: async () => structuredClone(claim),
      begin: async ({ step }) => {
        saw('begin', step);
        const next = coming.begins.shift();
        if (next === 'broken') throw new Error('the database is down');
        if (next === 'unopened') return next;
        return next === 'lease lost' ? null : { customer: claim.facts.customer, isKnown: true };
      },
      write: async ({ claim: { id, fence, revision }, write }) => {
        saw('write', { id, fence, revision, write });
        return coming.writes.shift() ?? { owned: true, newer: false, dueAt: null };
      },
      otherOrderOf: async () => null,
      recordLateReply: async (reply) => saw('late reply', reply),
      mergeFetched: async (from, news) => {
        saw('merge', news);
        return (coming.merges.shift() ?? true) ? { facts: from.facts, revision: from.revision } : null;
      },
      release: async ({ id, fence }) => saw('release', { id, fence }),
    },
    connection: async (_id, options) => {
      if (options === undefined) return structuredClone(connection);
      saw('read the settings again');
      const change = coming.settings.shift();
      if (change === 'other key' && connection.access !== null) return { ...connection, access: { ...connection.access, consumerKey: 'another' } };
      if (change !== 'changed') return structuredClone(connection);
      const { settings } = connection;
      return { ...connection, settings: { ...settings, receipts: !settings.receipts, payments: { unknownpay: { paymentType: 'VIRTUAL_POS' } } } };
    },
    compliance: {
      honoursIdempotency: async (destinationId) => (destinationId === 'd1' ? weather.honoured.d1 : weather.honoured.d0),
      encodingOf: async () => null,
      lookUp: async () => ({ is: 'hidden' }),
      whyInsecure: async () => null,
      workedAt: () => weather.workedAt,
      send: async (step, order) => {
        saw('send', { step, order });
        return coming.replies.shift() ?? { kind: 'answered', status: 201, id: 'cid-5', standingId: null, detail: '', retryAfterMs: null };
      },
    },
    pauses: {
      some: async () => false,
      paused: async (called) => {
        saw('paused?', called);
        return coming.paused.shift() === true ? { code: 'compliance.throttled', why: 'compliance.throttled: 429' } : null;
      },
      pause: async (scope, reason) => saw('pause', { scope, reason }),
      doubt: async (where, about) => saw('doubt', { where, about }),
      works: async (called) => saw('works', called),
    },
    storefronts: {
      ...visitor.storefronts,
      woocommerce: { ...visitor.storefronts.woocommerce, api: { words: '', credentials: {}, complete: async () => fetched(coming.fetches.shift(), visitor) } },
    },
    stores: storesAtHand(visitor.Failure),
    ...noKeys,
    noteStoreApi: async (_id, refusal) => saw('note', refusal === null ? null : refusal.words),
    now: () => NOW,
    random: () => 0.5,
    onVatDifference: () => saw('vat differs'),
    onStep: (step) => saw('step', step),
  };
  const end = await visitor
    .attempt(deps, { orderId: claim.id, probe, fetches: always, onSent: () => saw('sent') })
    .catch((thrown: unknown) => ({ threw: String(thrown) }));
  return { calls, end };
}

async function fetched(how: Weather['fetches'][number] | undefined, visitor: Visitor): Promise<{ orderId: string }> {
  if (how === 'unreachable') throw new visitor.Failure('storefront.unreachable', 'no answer');
  if (how === 'refused') throw new visitor.Failure('storefront.refused', '401');
  if (how === 'broken') throw new Error('the database is down');
  return { orderId: '5001' };
}
