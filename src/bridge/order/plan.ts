import type { RecordContent, TaxRecord } from '../../contract/record.ts';
import { canonicalText } from './canonical-text.ts';
import type { Desired } from './desired.ts';
import type { Problem } from './failure.ts';
import type { RecordStep } from './outcome.ts';

/** What stands at the compliance service. unconfirmed: the reply to its create was lost, nobody knows. */
export type Standing = { kind: 'none' } | { kind: 'record'; record: TaxRecord } | { kind: 'unconfirmed'; record: TaxRecord };

/**
 * What to do next. resend-or-ask: send the lost create again or ask, as the connection says.
 * ask: only a person can tell whether the lost create is recorded.
 */
export type Plan =
  | { kind: 'steps'; steps: readonly [RecordStep, ...RecordStep[]] }
  | { kind: 'rest' }
  | { kind: 'park'; problems: [Problem, ...Problem[]] }
  | { kind: 'resend-or-ask' }
  | { kind: 'ask' };

/** The way from what stands to what should stand, total over both. */
export function plan(desired: Desired, standing: Standing): Plan {
  if (desired.kind === 'problems') return { kind: 'park', problems: desired.problems };
  if (standing.kind === 'none') return desired.kind === 'record' ? steps('create') : { kind: 'rest' };
  const isSame = desired.kind === 'record' && sameContent(desired.record, standing.record);
  if (standing.kind === 'unconfirmed') return { kind: isSame ? 'resend-or-ask' : 'ask' };
  if (isSame) return { kind: 'rest' };
  return desired.kind === 'record' ? steps('delete', 'create') : steps('delete');
}

function steps(...kinds: [RecordStep, ...RecordStep[]]): Plan {
  return { kind: 'steps', steps: kinds };
}

/** Same fiscal content: lines (in any order), money, payment, currency, number and moment. A late transaction id is not part of it. */
export function sameContent(a: RecordContent, b: RecordContent): boolean {
  return contentText(a) === contentText(b);
}

function contentText(content: RecordContent): string {
  const { internalId, internalNumber, internalCreatedAt, lineItems, paymentType, paymentProcessorName, currency, precision } = content;
  const payment = { paymentType, paymentProcessorName };
  const lines = lineItems.map(canonicalText).sort();
  return canonicalText({ internalId, internalNumber, createdAt: moment(internalCreatedAt), lines, payment, currency, precision });
}

// A store that moves to another time zone writes old moments anew; that replaces no record.
function moment(text: string): string | number {
  return /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : text;
}
