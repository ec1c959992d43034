import type { OrderReport } from '../../operations/orders/order-report.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { money } from './money.ts';

/** What became of a test order, and how its record is taken back. */
export function testOrderLines(order: OrderReport, { isEmbedded }: { isEmbedded: boolean }): string[] {
  const { id, number, orderId, state, means, parked, todo, complianceId } = order;
  return [
    ...textFields([
      ['order', `${number ?? orderId} (id:${id}), ${money(order.orderTotal, order.currency) ?? 'total not known'}`],
      ['state', `${state}: ${means}`],
      ...(parked === null ? [] : [['why', `${parked.code}: ${oneLine(parked.detail)}`] as const]),
      ...(todo === null ? [] : [['to do', todo] as const]),
      ...(complianceId === null ? [] : [['compliance id', complianceId] as const]),
    ]),
    ...(complianceId === null ? [] : ['', ...deletionLines(complianceId, isEmbedded)]),
  ];
}

function deletionLines(complianceId: string, isEmbedded: boolean): string[] {
  const there = isEmbedded ? `\`orderbridge service orders delete ${complianceId}\`` : `delete the record ${complianceId} at the compliance service`;
  return [
    'It is a tax record now, and counts in its month’s file. To take it back, send its refund as the store would (the record is then deleted), or',
    `${there}.`,
  ];
}
