import type { Reply } from './outcome.ts';

/**
 * Marks a 404 or 410 as the service's own if its body has the same keys as the service's answer to the delete of an order that never existed.
 * `known`: those keys, sorted; null: not known, so nothing is believed.
 */
export function withOrigin(reply: Reply, known: readonly string[] | null): Reply {
  if (reply.kind !== 'answered' || reply.keys === undefined || known === null) return reply;
  return sameKeys(reply.keys, known) ? { ...reply, isOwn: true } : reply;
}

function sameKeys(keys: readonly string[], known: readonly string[]): boolean {
  return keys.length === known.length && keys.every((key, at) => key === known[at]);
}
