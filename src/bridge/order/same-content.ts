import type { RecordContent } from '../../contract/record.ts';
import { canonicalText } from './canonical-text.ts';

/** Same fiscal content: lines (in any order), money, payment, currency, number and moment. A late transaction id is not part of it. */
export function sameContent(a: RecordContent, b: RecordContent): boolean {
  return a === b || contentText(a) === contentText(b);
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
