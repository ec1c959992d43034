import type { Core } from '../../app/core.ts';
import { storeNames } from '../../operations/connections/store-names.ts';
import { listReview } from '../../operations/orders/list-review.ts';
import { listWaiting, type Waiting } from '../../operations/orders/list-waiting.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/terminal-width.ts';
import { noteUnreadable } from '../output/note-unreadable.ts';
import { deliveryLines, orderLines, reasonLines, type Said, storeLines } from '../text/review-text.ts';
import { en } from '../words/en.ts';

export type Options = { all?: true; json?: true };

export async function review(context: CliContext, core: Core, { all, json }: Options): Promise<void> {
  if (all !== true && json !== true) return inGroups(context, core);
  const waiting = await listWaiting(core);
  const { orders, deliveries, stores, unreadable, cutAt } = waiting;
  if (json) printJson(context, { orders, deliveries, stores });
  else printLines(context, eachLines(waiting, { nameOf: storeNames(await core.connections.list()), words: en }));
  noteUnreadable(context, unreadable);
  if (cutAt !== null) note(context, en.review.cut(cutAt));
}

async function inGroups(context: CliContext, { pool, connections }: Core): Promise<void> {
  const { reasons, deliveries, stores, nameOf } = await listReview({ pool, connections, now: () => new Date() });
  const said = { nameOf, words: en };
  const lines = [
    ...stores.flatMap((held) => storeLines(held, said)),
    ...reasons.flatMap((reason) => reasonLines(reason, said, terminalWidth(context.stdout))),
    ...deliveries.flatMap((delivery) => deliveryLines(delivery, said)),
  ];
  printLines(context, lines.length === 0 ? [said.words.review.none] : lines);
}

function eachLines({ orders, deliveries, stores }: Waiting, said: Said): string[] {
  if (orders.length + deliveries.length + stores.length === 0) return [said.words.review.none];
  return [
    ...stores.flatMap((held) => storeLines(held, said)),
    ...orders.flatMap((order) => orderLines(order, said)),
    ...deliveries.flatMap((delivery) => deliveryLines(delivery, said)),
  ];
}
