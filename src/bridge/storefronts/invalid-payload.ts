import type { z } from 'zod';
import type { Problem } from '../order/facts/failure.ts';
import type { Normalized } from './contract.ts';

/** A body can be wrong in a million places. */
const MOST = 50;

/** A body whose shape is not known: each of the first 50 places with what was expected there, and none of its values, which may be personal. */
export function unreadable({ issues }: z.ZodError): Normalized {
  const [first, ...rest] = issues.slice(0, MOST).map(toProblem);
  const more = issues.length - MOST;
  const others: Problem[] = more > 0 ? [{ code: 'payload.unreadable', detail: `body: ${more} more places are not as expected` }] : [];
  return { kind: 'unreadable', problems: [first ?? { code: 'payload.unreadable', detail: 'body: not as expected' }, ...rest, ...others] };
}

function toProblem({ path, message }: z.core.$ZodIssue): Problem {
  return { code: 'payload.unreadable', detail: `${path.join('.') || 'body'}: ${message.replaceAll('\n', ', ')}` };
}

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
