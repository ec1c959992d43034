import type { Delivery } from '../../../src/bridge/storefronts/contract.ts';

/** One body as a storefront would send it, before it is signed. */
export type Sample = { name: string; topic: string; body: unknown };

/** The samples of one storefront for the battery of all. */
export type StorefrontSamples = {
  /** A secret that signs, and a valid one that does not. */
  secret: string;
  otherSecret: string;
  /** The moment (ms since 1970) at which the deliveries are fresh. */
  now: number;
  /** Signs as the platform does. */
  sign(sample: { topic: string; bytes: Buffer }, secret: string): Delivery;
  /** Headers without which a request counts as unsigned. */
  signatureHeaders: readonly string[];
  /** Whole orders, whose lines add up to their total. */
  orders: readonly Sample[];
  /** Bodies of other topics, each as the platform sends it. */
  others?: readonly Sample[];
  /** An order with two faults, whose values are `marker`; each path must be named. */
  faulty: Sample & { paths: readonly string[]; marker: string };
  /** JSON text of an order whose id is 9007199254740993, which no float holds. */
  unsafe: { topic: string; json: string };
  /** An event that is none of ours; absent where any body may be about an order, whatever it calls itself. */
  foreign?: Sample;
};
