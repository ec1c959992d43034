import type { OrderNews, Snapshot } from '../../../src/bridge/order/facts/facts.ts';
import type { Normalized } from '../../../src/bridge/storefronts/contract.ts';

/** The news of a body that was read as an order. */
export function newsOf(normalized: Normalized): OrderNews {
  if (normalized.kind !== 'order') throw new Error(`it is not an order: ${JSON.stringify(normalized)}`);
  return normalized.news;
}

export function snapshotOf(normalized: Normalized): Snapshot {
  const { snapshot } = newsOf(normalized);
  if (snapshot === undefined) throw new Error('there is no snapshot');
  return snapshot;
}

/** The problems of a body that could not be read. */
export function faultsOf(normalized: Normalized): string[] {
  if (normalized.kind !== 'unreadable') throw new Error(`it was read: ${normalized.kind}`);
  return normalized.problems.map(({ detail }) => detail);
}
