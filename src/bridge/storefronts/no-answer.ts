import { Failure } from '../order/failure.ts';

/**
 * Why a store gave no answer. private: its address is none of the internet. unknown-host: nobody has this name. no-tls: the port does not speak https.
 * cut-off: it began to answer, or something on the way ended it.
 */
export type NoAnswerWhy = 'private' | 'unknown-host' | 'refused' | 'slow' | 'certificate' | 'no-tls' | 'cut-off';

/** A store gave no answer, with the kind of reason beside the words. */
export class NoAnswer extends Failure {
  readonly why: NoAnswerWhy;

  constructor(why: NoAnswerWhy, words: string) {
    super('storefront.unreachable', words);
    this.why = why;
  }
}
