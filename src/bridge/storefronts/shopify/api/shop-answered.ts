import { Failure, type FailureCode } from '../../../order/failure.ts';

/** The shop answered that it can't be used, and by which status; 429 also for one that throttles within a 200. */
export class ShopAnswered extends Failure {
  readonly status: number;

  constructor(status: number, code: Extract<FailureCode, `storefront.${string}`>, words: string) {
    super(code, words);
    this.status = status;
  }
}

/** It takes only tokens that expire from this app, and this one does not. */
export class MustExpire extends ShopAnswered {}

/** Its app may not see what was queried, whatever its scopes. */
export class Denied extends Failure {
  constructor(words: string) {
    super('storefront.refused', words);
  }
}
