import type { OrderNews } from '../order/facts/facts.ts';
import type { Envelope, Normalized, Storefront } from '../storefronts/contract.ts';
import { parseJson } from '../storefronts/read-payload.ts';

/** A body whose signature is right, and what its headers say. */
export type Trusted = { storefront: Storefront; envelope: Envelope; body: Buffer };

/** The content of a trusted delivery; null: the body is not JSON. */
export type Read = { envelope: Envelope; normalized: Normalized } | null;

/** Parses and normalizes a trusted body. Pure, and slow for a large one: `Intake.read` decides on which thread it runs. */
export function readTrusted({ storefront, envelope, body }: Trusted): Read {
  const parsed = parseJson(body);
  if (!parsed.ok) return null;
  const named = { ...envelope, store: envelope.store ?? storefront.storeOf?.(parsed.value) ?? null };
  return { envelope: named, normalized: bounded(storefront.normalize(named, parsed.value)) };
}

/** Many times the largest order of a shop. Merging, deciding and sending more than so many at once would hold up everybody else. */
const MOST_PARTS = 5_000;

/** The same, or `unreadable` if an order has so many parts that it must be recorded by hand. */
function bounded(normalized: Normalized): Normalized {
  const found = normalized.kind === 'order' ? counts(normalized.news).find(([, count]) => count > MOST_PARTS) : undefined;
  if (found === undefined) return normalized;
  const [what, count] = found;
  const detail = `it has ${count} ${what}; at most ${MOST_PARTS} are read: record it by hand`;
  return { kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail }] };
}

function counts({ snapshot, refunds = [], transactions = [] }: OrderNews): [string, number][] {
  const readings = snapshot?.otherwise ?? [];
  return [
    ['lines', Math.max(0, ...[...(snapshot === undefined ? [] : [snapshot]), ...readings].map(({ lines }) => lines.length))],
    ['refunds', Math.max(refunds.length, snapshot?.refunds?.length ?? 0)],
    ['lines of refunds', refunds.reduce((sum, { lines }) => sum + (lines?.length ?? 0), 0)],
    ['transactions', transactions.length],
  ];
}
