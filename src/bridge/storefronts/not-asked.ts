import { Failure } from '../order/failure.ts';

/** A store was not asked, or what it said tells nothing of what was asked: it is neither refused nor without an answer, and may be asked soon. */
export class NotAsked extends Failure {
  constructor(words: string) {
    super('storefront.unreachable', words);
  }
}
