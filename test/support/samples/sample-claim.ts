import type { Connection } from '../../../src/bridge/connections/connection.ts';
import { connectionSettings } from '../../../src/bridge/connections/connection-settings.ts';
import type { Claim } from '../../../src/bridge/order/decisions/claim.ts';
import type { Terms } from '../../../src/bridge/order/facts/settings.ts';
import { wellKnownGateways } from '../../../src/bridge/storefronts/well-known-gateways.ts';
import { facts } from './order-facts.ts';

/** An order of one mug, paid and never recorded, at its first revision. */
export function sampleClaim(values: Partial<Claim> = {}): Claim {
  return {
    id: 7,
    key: { shopId: '11111111-1111-1111-1111-111111111111', platform: 'standard', store: 'corner', orderId: '5001' },
    platformId: '5001',
    connectionId: 'c1',
    fence: 2,
    facts: facts(),
    revision: 1,
    recordedRevision: 0,
    reviewRevision: 0,
    state: 'queued',
    backfilled: false,
    mapping: null,
    current: null,
    receipt: null,
    previous: null,
    uncertain: null,
    review: null,
    resolution: null,
    openStep: null,
    stepSeq: 0,
    attempts: 0,
    dirtySince: '2026-11-20T10:00:00.000Z',
    ...values,
  };
}

/** A connection's terms with default settings. */
export function sampleTerms({ settings = {}, ...values }: Partial<Omit<Terms, 'settings'>> & { settings?: Partial<Terms['settings']> } = {}): Terms {
  return {
    ...{
      destinationId: 'd1',
      recordFrom: '2026-11-01T00:00:00Z',
      onTrial: false,
      gateways: wellKnownGateways,
      transactionComesLater: false,
      refundsVanish: false,
      gaps: [],
    },
    settings: { ...connectionSettings.parse({}), ...settings },
    ...values,
  };
}

export function sampleConnection(values: Partial<Connection> = {}): Connection {
  return {
    ...{ id: 'c1', platform: 'standard', name: 'corner', store: 'corner', shopId: sampleClaim().key.shopId, destinationId: 'd1', secrets: [] },
    ...{ access: null, app: null },
    ...{
      settings: connectionSettings.parse({}),
      recordFrom: '2026-11-01T00:00:00Z',
      trialSince: null,
      recordedUntil: null,
      warnings: {},
      createdAt: '2026-11-01T00:00:00.000Z',
      closedAt: null,
    },
    ...{ hosts: [], storeIdentity: null, gaps: [], predecessor: null, isApart: false },
    throttled: { count: 0, last: null },
    ...values,
  };
}
