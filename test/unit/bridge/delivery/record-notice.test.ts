import { describe, expect, test } from 'vitest';
import type { StoreHost } from '../../../../src/bridge/connections/connection.ts';
import type { AcceptedDelivery } from '../../../../src/bridge/delivery/jobs.ts';
import { type RecorderLedger, recordDeliveries } from '../../../../src/bridge/delivery/record-deliveries.ts';
import type { Normalized, PrivacyRequest } from '../../../../src/bridge/storefronts/contract.ts';
import { storefronts } from '../../../../src/bridge/storefronts/registry.ts';
import { noAttempts } from '../../../support/attempts/no-attempts.ts';
import { sampleConnection } from '../../../support/samples/sample-claim.ts';

const OURS = 'corner.myshopify.com';
const OTHER = 'other.myshopify.com';
const NOW = Date.parse('2026-11-21T04:00:00.000Z');

type Case = {
  normalized: Normalized;
  header?: string | null;
  store?: string | null;
  name?: string;
  hosts?: StoreHost[];
  ownership?: StoreHost['ownership'];
  letsIn?: boolean;
  /** ISO instant */
  arrivedAt?: string;
};

/** What the recorder asks of the ledger, call by call. */
async function calls({
  normalized,
  header = OURS,
  store = OURS,
  name = 'corner',
  hosts = [],
  ownership = 'quarantined',
  letsIn = false,
  arrivedAt = '2026-11-21T03:00:00.000Z',
}: Case): Promise<string[]> {
  const seen: string[] = [];
  const ledger: RecorderLedger = {
    connectionsOfStore: async () => [],
    ordersOfRefund: async () => [],
    recordOrders: () => Promise.reject(new Error('not expected')),
    endWarning: async (_id, kind) => void seen.push(`end ${kind}`),
    pinStore: async (_id, pinned) => {
      seen.push(`pin ${pinned}`);
      return pinned;
    },
    admit: async ({ host }) => {
      seen.push(`admit ${host}`);
      return ownership;
    },
    note: async ({ delivery: { body }, outcome, code, detail }) => {
      seen.push(
        `note ${outcome}${code === null ? '' : ` ${code}`}${body === null ? '' : ', kept'}${detail?.startsWith('of the host') ? ', with its host' : ''}`,
      );
    },
    warn: async (_id, kind) => void seen.push(`warn ${kind}`),
    privacy: async ({ store: scope, request }) => void seen.push(`${request.action} of ${scope}`),
  };
  const delivery: AcceptedDelivery = {
    ...{ id: '1', connectionId: 'c1', arrivedAt, topic: 'x', platformDeliveryId: null, body: 'KLUv', store: header },
    normalized,
  };
  const connection = sampleConnection({ platform: 'shopify', name, store, hosts });
  const deps = {
    ledger,
    storefronts,
    connection: async () => connection,
    notify: () => undefined,
    firstAttempts: noAttempts,
    uninstalled: async () => {
      seen.push('ask');
      return letsIn ? ('let-in' as const) : ('closed' as const);
    },
    quietSeconds: 0,
    now: () => NOW,
    onMerged: () => undefined,
  };
  await recordDeliveries(deps, [delivery]);
  return seen;
}

const closed = (store?: string): Normalized => ({ kind: 'closed', ...(store === undefined ? {} : { store }) });
const request: PrivacyRequest = { action: 'redact-shop' };
const redact = (store?: string): Normalized => ({ kind: 'privacy', request, ...(store === undefined ? {} : { store }) });
const unreadable: Normalized = { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail: 'id: missing' }] };
const warning: Normalized = { kind: 'warning', warning: 'an error' };
const notOurs: StoreHost[] = [{ host: OTHER, ownership: 'not-ours', dismissed: 0 }];

describe('what is the store’s', () => {
  test.each<[string, Case, string[]]>([
    ['an uninstalled app', { normalized: closed(OURS) }, ['ask', 'note closed, kept']],
    ['an uninstalled app whose store still lets it in', { normalized: closed(OURS), letsIn: true }, ['ask', 'note ignored, kept']],
    ['an erasure', { normalized: redact(OURS) }, [`redact-shop of ${OURS}`, 'note privacy']],
    [
      'an erasure under a host that the store has, too',
      { normalized: redact(OTHER), hosts: [{ host: OTHER, ownership: 'ours', dismissed: 0 }] },
      [`redact-shop of ${OURS}`, 'note privacy'],
    ],
    ['an erasure before the first order', { normalized: redact(OURS), store: null }, [`pin ${OURS}`, `redact-shop of ${OURS}`, 'note privacy']],
    [
      'an uninstalled app before the first order, by the name that connect was given',
      { normalized: closed(OURS), store: null, name: OURS },
      ['ask', 'note closed, kept'],
    ],
    ['a warning', { normalized: warning }, ['warn delivery', 'note warning, kept']],
    ['a misfit', { normalized: { ...warning, isTopicMismatch: true } }, ['warn topic-mismatch', 'note warning, kept']],
    ['a misfit about a person', { normalized: { ...warning, isTopicMismatch: true, isPrivate: true } }, ['warn topic-mismatch', 'note warning']],
    ['what can’t be read', { normalized: unreadable }, ['note review payload.unreadable, kept']],
  ])('counts: %s', async (_what, given, expected) => {
    expect(await calls(given)).toEqual(expected);
  });

  test.each<[string, Case, string[]]>([
    ['an uninstalled app', { normalized: closed() }, ['ask', 'note closed, kept']],
    ['an erasure', { normalized: redact() }, [`redact-shop of ${OURS}`, 'note privacy']],
    ['an erasure that names no store at all', { normalized: redact(), header: null }, [`redact-shop of ${OURS}`, 'note privacy']],
    ['an erasure of another host', { normalized: redact(), header: OTHER }, ['warn topic-mismatch', 'note warning store.other']],
  ])('whose body names no store, by its headers: %s', async (_what, given, expected) => {
    expect(await calls(given)).toEqual(expected);
  });
});

describe('finding 8: what is not the store’s does nothing', () => {
  test.each<[string, Case, string[]]>([
    ['a body of another shop', { normalized: closed(OTHER) }, ['warn topic-mismatch', 'note warning store.other']],
    ['a body of another shop, with its own name', { normalized: redact(OTHER), header: OTHER }, ['warn topic-mismatch', 'note warning store.other']],
    ['the name of another shop', { normalized: redact(OURS), header: OTHER }, ['warn topic-mismatch', 'note warning store.other']],
    ['before the first order, two names', { normalized: redact(OTHER), store: null }, ['warn topic-mismatch', 'note warning store.other']],
    ['before the first order, an uninstalled app', { normalized: closed(OURS), store: null }, ['warn topic-mismatch', 'note warning store.other']],
    ['a warning', { normalized: warning, header: OTHER }, ['note warning store.other']],
    ['what can’t be read', { normalized: unreadable, header: OTHER }, ['note review payload.unreadable, kept, with its host']],
  ])('%s', async (_what, given, expected) => {
    expect(await calls(given)).toEqual(expected);
  });

  test.each([closed(OTHER), redact(OTHER), warning, unreadable])('of a host that is declared not to be ours it is counted: %j', async (normalized) => {
    const given = { normalized, header: OTHER, hosts: notOurs };

    expect(await calls({ ...given, ownership: 'not-ours' })).toEqual([`admit ${OTHER}`]);
    // Declared to be ours since the reader looked.
    expect((await calls({ ...given, ownership: 'ours' })).length).toBeGreaterThan(1);
  });
});

test('what the app may do is a warning for as long as something lacks, and nothing is known of another host’s', async () => {
  const lacks: Normalized = { kind: 'granted', warning: 'The app may no longer read the orders of the store.' };

  expect(await calls({ normalized: lacks })).toEqual(['warn app-scopes', 'note warning, kept']);
  expect(await calls({ normalized: { kind: 'granted', warning: null } })).toEqual(['end app-scopes', 'note ignored, kept']);
  expect(await calls({ normalized: lacks, header: OTHER })).toEqual(['warn topic-mismatch', 'note warning store.other']);
});

describe('the word that a refund was deleted, which no known order lists', () => {
  const normalized: Normalized = { kind: 'refund-deleted', refundId: '8' };
  const arrived = (agoMs: number) => calls({ normalized, arrivedAt: new Date(NOW - agoMs).toISOString() });

  test.each([
    [0, 3_000],
    [60_000, 240_000],
    [86_399_999, 345_599_996],
  ])('%i ms after it came, comes again after %i ms: the order may be recorded meanwhile', async (agoMs, ms) => {
    await expect(arrived(agoMs)).rejects.toMatchObject({ name: 'AskLater', ms });
  });

  test('is noted after a day', async () => {
    expect(await arrived(86_400_000)).toEqual(['note ignored, kept']);
  });
});
