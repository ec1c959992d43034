import { Failure, type FailureCode } from '../order/facts/failure.ts';
import type { StoreProblem, StoreProblemCode } from './onboarding.ts';

/**
 * Why a store refuses, by who can mend it. The merchant: `key`, they let us in again; `frozen`, they pay what they owe the platform; `locked`, they ask its support;
 * `blocked`, they let us through what stands before their store. The person who runs the service: `app`, the platform does not take the app’s id and secret.
 */
export type StoreDenial = 'key' | 'frozen' | 'locked' | 'blocked' | 'app';

/** What a store refuses with, in words for operators. `denial` null: none of these, so that the person who runs the service must look. */
export type StoreRefusal = { words: string; denial: StoreDenial | null };

/** A failure of a store that says who can mend it. `status`: what its answer means, if its body says more than its own status; null: it does not. */
export class StoreFailure extends Failure {
  readonly denial: StoreDenial | null;
  readonly status: number | null = null;

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

/**
 * Why a store gave no answer. private: its address is none of the internet. unknown-host: nobody has this name. no-tls: the port does not speak https.
 * cut-off: it began to answer, or something on the way ended it.
 */
export type NoAnswerWhy = 'private' | 'unknown-host' | 'refused' | 'slow' | 'certificate' | 'no-tls' | 'cut-off';

/** A store gave no answer, with the kind of reason beside the words. */
export class NoStoreAnswer extends Failure {
  readonly why: NoAnswerWhy;

  constructor(why: NoAnswerWhy, words: string) {
    super('storefront.unreachable', words);
    this.why = why;
  }
}

const codes = {
  private: 'address.private',
  'unknown-host': 'address.unknown',
  refused: 'unreachable',
  slow: 'slow',
  certificate: 'certificate',
  'no-tls': 'https.missing',
  'cut-off': 'cut-off',
} as const satisfies Record<NoAnswerWhy, StoreProblemCode>;

/** Why nothing was answered. What is not called, is not called because keys could be read on the way. */
export function unanswered(failure: Failure): StoreProblem {
  if (failure.code === 'storefront.refused') return { code: 'https.missing' };
  return { code: failure instanceof NoStoreAnswer ? codes[failure.why] : 'unreachable' };
}

/** A store was not asked, or what it said tells nothing of what was asked: it is neither refused nor without an answer, and may be asked soon. */
export class NotCalled extends Failure {
  constructor(words: string) {
    super('storefront.unreachable', words);
  }
}

/** The store answered, but not all that one call was to read came within the time that it may take: that is our limit, and no fault of the store. */
export class OutOfTime extends NotCalled {}
