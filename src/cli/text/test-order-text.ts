import type { OrderReport } from '../../operations/orders/order-report.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import { stateMeans, stateName } from '../../operations/words/state-words.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { money } from './money.ts';

/** What became of a test order, and how its record is taken back. */
export function testOrderLines(order: OrderReport, isEmbedded: boolean): string[] {
  const { id, number, orderId, state, review, todo, complianceId } = order;
  const total = money(order.orderTotal, order.currency) ?? 'total not known';
  return [
    ...textFields([
      ['order', `${number ?? orderId} (id:${id}), ${total}`],
      ['state', `${stateName(state, 'en')}: ${stateMeans(state, 'en')}`],
      ...(review === null ? [] : [['why', `${review.code}: ${oneLine(problemWords(review, 'en'))}`] as const]),
      ...(todo === null ? [] : [['to do', todo] as const]),
      ...(complianceId === null ? [] : [['compliance id', complianceId] as const]),
    ]),
    ...(complianceId === null
      ? []
      : [
          '',
          'It is a tax record now, and counts in its month’s file. To take it back, send its refund as the store would (the record is then deleted), or',
          `${deletion(complianceId, isEmbedded)}.`,
        ]),
  ];
}

function deletion(complianceId: string, isEmbedded: boolean): string {
  return isEmbedded ? `\`orderbridge service orders delete ${complianceId}\`` : `delete the record ${complianceId} at the compliance service`;
}
