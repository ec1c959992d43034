import type { RecordContent } from '../../contract/record.ts';
import { canonicalText } from './canonical-text.ts';

/** Same fiscal content: lines (in any order), money, payment, currency, number and moment. A late transaction id is not part of it. */
export function sameContent(a: RecordContent, b: RecordContent): boolean {
  return a === b || contentText(a) === contentText(b);
}

function contentText(content: RecordContent): string {
  return canonicalText([headText(content), content.lineItems.map(canonicalText).sort()]);
}

/** Everything but the lines. */
export function headText({ internalId, internalNumber, internalCreatedAt, paymentType, paymentProcessorName, currency, precision }: RecordContent): string {
  const payment = { paymentType, paymentProcessorName };
  return canonicalText({ internalId, internalNumber, createdAt: moment(internalCreatedAt), payment, currency, precision });
}

// A store that moves to another time zone writes old moments anew; that replaces no record.
function moment(text: string): string | number {
  return /(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? Date.parse(text) : text;
}
