import type { OrderReport } from '../../operations/orders/order-report.ts';
import { codeWords } from '../../operations/words/code-words.ts';
import { problemWords } from '../../operations/words/problem-words.ts';
import { stateMeans, stateName } from '../../operations/words/state-words.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { type CliWords, wordsFor } from '../words/words.ts';
import { money } from './money.ts';

type Around = { isEmbedded: boolean; context: Pick<CliContext, 'lang'> };

/** What became of a test order, and how its record is taken back. */
export function testOrderLines(order: OrderReport, { isEmbedded, context }: Around): string[] {
  const { id, number, orderId, state, review, todo, complianceId } = order;
  const { reading, sheet } = wordsFor(context);
  const { fields } = sheet;
  const lang = context.lang ?? 'en';
  const total = money(order.orderTotal, order.currency) ?? reading.test.totalNotKnown;
  return [
    ...textFields([
      [fields.order, `${number ?? orderId} (id:${id}), ${total}`],
      [fields.state, `${stateName(state, lang)}: ${stateMeans(state, lang)}`],
      ...(review === null ? [] : [[fields.why, `${review.code}: ${oneLine(problemWords(review, lang))}`] as const]),
      ...(todo === null ? [] : [[fields.toDo, review === null || lang === 'en' ? todo : codeWords(review.code, lang).todo] as const]),
      ...(complianceId === null ? [] : [[fields.complianceId, complianceId] as const]),
    ]),
    ...(complianceId === null ? [] : ['', reading.test.takeBack, `${deletion(complianceId, isEmbedded, reading.test)}.`]),
  ];
}

function deletion(complianceId: string, isEmbedded: boolean, say: CliWords['reading']['test']): string {
  return isEmbedded ? `\`orderbridge service orders delete ${complianceId}\`` : say.elsewhere(complianceId);
}
