import type { Envelope, Normalized, Storefront } from '../storefronts/contract.ts';
import { parseJson } from '../storefronts/lossless-json.ts';
import { bounded } from './bounded.ts';

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
