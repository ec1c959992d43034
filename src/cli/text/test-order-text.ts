import type { OrderReport } from '../../operations/orders/order-report.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import { stateMeans, stateName } from '../../operations/words/state-words.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { type CliWords, en } from '../words/en.ts';
import { money } from './money.ts';

/** What became of a test order, and how its record is taken back. */
export function testOrderLines(order: OrderReport, isEmbedded: boolean): string[] {
  const { id, number, orderId, state, review, todo, complianceId } = order;
  const { reading, sheet } = en;
  const { fields } = sheet;
  const total = money(order.orderTotal, order.currency) ?? reading.test.totalNotKnown;
  return [
    ...textFields([
      [fields.order, `${number ?? orderId} (id:${id}), ${total}`],
      [fields.state, `${stateName(state, 'en')}: ${stateMeans(state, 'en')}`],
      ...(review === null ? [] : [[fields.why, `${review.code}: ${oneLine(problemWords(review, 'en'))}`] as const]),
      ...(todo === null ? [] : [[fields.toDo, todo] as const]),
      ...(complianceId === null ? [] : [[fields.complianceId, complianceId] as const]),
    ]),
    ...(complianceId === null ? [] : ['', reading.test.takeBack, `${deletion(complianceId, isEmbedded, reading.test)}.`]),
  ];
}

function deletion(complianceId: string, isEmbedded: boolean, say: CliWords['reading']['test']): string {
  return isEmbedded ? `\`orderbridge service orders delete ${complianceId}\`` : say.elsewhere(complianceId);
}
