import { Failure, type FailureCode } from '../order/failure.ts';

/**
 * Why a store refuses, by who can mend it. The merchant: `key`, he lets us in again; `frozen`, he pays what he owes the platform; `locked`, he asks its support;
 * `blocked`, he lets us through what stands before his store. Whoever runs the service: `app`, the platform does not take the app’s id and secret.
 */
export const STORE_DENIALS = ['key', 'frozen', 'locked', 'blocked', 'app'] as const;
export type StoreDenial = (typeof STORE_DENIALS)[number];

/** What a store refuses with, in words for operators. `denial` null: none of these, so that whoever runs the service must look. */
export type StoreRefusal = { words: string; denial: StoreDenial | null };

/** A failure of a store that says who can mend it. */
export class StoreFailure extends Failure {
  readonly denial: StoreDenial | null;

  constructor(code: Extract<FailureCode, `storefront.${string}`>, words: string, denial: StoreDenial | null) {
    super(code, words);
    this.denial = denial;
  }
}

/** Null: the store refuses nothing; it may work later. */
export function refusalIn(failure: Failure): StoreRefusal | null {
  return failure.code === 'storefront.refused' ? { words: failure.message, denial: denialOf(failure) } : null;
}

export function denialOf(failure: Failure): StoreDenial | null {
  return failure instanceof StoreFailure ? failure.denial : null;
}
