import type { z } from 'zod';
import type { Problem } from '../order/failure.ts';
import type { Normalized } from './contract.ts';

/** A body whose shape is not known: each place with what was expected there, and none of its values, which may be personal. */
export function unreadable({ issues }: z.ZodError): Normalized {
  const [first, ...rest] = issues.map(toProblem);
  return { kind: 'unreadable', problems: [first ?? { code: 'payload.unreadable', detail: 'body: not as expected' }, ...rest] };
}

function toProblem({ path, message }: z.core.$ZodIssue): Problem {
  return { code: 'payload.unreadable', detail: `${path.join('.') || 'body'}: ${message}` };
}
