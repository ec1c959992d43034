import type { FailureCode } from '../../../order/facts/failure.ts';
import { type StoreDenial, StoreFailure } from '../../store-failure.ts';

/** The shop answered that it can't be used, and by which status; 429 also for one that throttles within a 200. */
export class ShopAnswered extends StoreFailure {
  readonly status: number;

  constructor(status: number, { code, words, denial }: { code: Extract<FailureCode, `storefront.${string}`>; words: string; denial: StoreDenial | null }) {
    super(code, words, denial);
    this.status = status;
  }
}

/** It takes only tokens that expire from this app, and this one does not. */
export class MustExpire extends ShopAnswered {}

/** Its app may not see what was queried, whatever its scopes. Anyone who has the app mends that: with a token that was typed in, the merchant. */
export class Denied extends StoreFailure {
  constructor(words: string, { byApp }: { byApp: boolean }) {
    super('storefront.refused', words, byApp ? null : 'key');
  }
}
