import type { z } from 'zod';
import type { Problem } from '../order/failure.ts';
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
