import { Failure } from '../order/failure.ts';

/** A store was not asked, or what it said tells nothing of what was asked: it is neither refused nor without an answer, and may be asked soon. */
export class NotAsked extends Failure {
  constructor(words: string) {
    super('storefront.unreachable', words);
  }
}

/** The store answered, but not all that one call was to read came within the time that it may take: that is our limit, and no fault of the store. */
export class OutOfTime extends NotAsked {}
