import type { Normalized } from './contract.ts';

/**
 * A signed body of something else than its topic, which no signature covers: nothing is done, and the merchant is warned. `isPrivate`: it is
 * about a person who did not buy, or whose erasure is requested.
 */
export function topicMismatch(topic: string, { isPrivate }: { isPrivate: boolean }): Normalized {
  const warning =
    `A body that the store signed came under the topic ${topic}, which it does not fit, and was left alone. Someone may be repeating a captured webhook: ` +
    'make a new secret where this one was made, and give it with `orderbridge rotate-secret`.';
  return { kind: 'warning', warning, isTopicMismatch: true, ...(isPrivate ? { isPrivate: true } : {}) };
}

/** Does a body have any of these fields? */
export function hasAny(body: unknown, fields: Iterable<string>): boolean {
  return typeof body === 'object' && body !== null && [...fields].some((field) => Object.hasOwn(body, field));
}
