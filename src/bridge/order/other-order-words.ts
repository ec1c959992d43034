import type { Snapshot } from './facts.ts';

/** `id`: its number in the ledger, if it has one yet. */
type First = { orderId: string; id: number | null; snapshot: Snapshot | null };

/** Both orders of one platform id, for a person who must say whether they are one. */
export function otherOrderWords({ orderId, id, snapshot }: First, other: Snapshot | null): string {
  const first = `${orderId}${id === null ? '' : ` (id:${id})`}`;
  return `The order ${first} was ${saleWords(snapshot)}; this one was ${saleWords(other)}, and nothing ties it to the first.`;
}

function saleWords(snapshot: Snapshot | null): string {
  return snapshot === null ? 'not seen yet' : `placed at ${snapshot.createdAt} for ${snapshot.total} ${snapshot.currency}`;
}
