import { type Read, readTrusted } from '../bridge/intake/read-trusted.ts';
import type { Envelope } from '../bridge/storefronts/contract.ts';
import { storefrontOf, storefronts } from '../bridge/storefronts/registry.ts';

/** A large body on its way to the thread that reads it. */
export type LargeBody = { platform: string; envelope: Envelope; body: Uint8Array };

/** Runs on a thread of its own (`body-reader`). Returns JSON text, which the other thread parses faster than it would copy the value. */
export function readOnThread({ platform, envelope, body }: LargeBody): string {
  const { buffer, byteOffset, byteLength } = body;
  const read: Read = readTrusted({ storefront: storefrontOf(storefronts, platform), envelope, body: Buffer.from(buffer, byteOffset, byteLength) });
  return JSON.stringify(read);
}
