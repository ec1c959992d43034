import type { FetchJson } from '../../../src/bridge/storefronts/contract.ts';
import type { Truth } from './money-by-rate.ts';

/** One webhook as a storefront sent it. `at`: when it was sent, ms since 1970. */
export type Told = {
  topic: string;
  body: unknown;
  at: number;
  /** It says less than what came before it, without a later time: only its place in the order of arrival tells. */
  inOrder?: true;
};

/** A history of one order: all webhooks of it in the order in which they were sent, and what it comes to. */
export type ToldHistory = {
  platform: string;
  told: Told[];
  /** The store's API as it is at the end; null: the merchant gave no key. */
  api: FetchJson | null;
  truth: Truth;
  /** What happened, for people. */
  story: string[];
};
