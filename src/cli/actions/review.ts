import type { Core } from '../../app/core.ts';
import { type StoreNames, storeNames } from '../../operations/connections/store-names.ts';
import { listReview } from '../../operations/orders/list-review.ts';
import { listWaiting, type Waiting } from '../../operations/orders/list-waiting.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { terminalWidth } from '../../platform/terminal/terminal-width.ts';
import { noteUnreadable } from '../output/note-unreadable.ts';
import { deliveryLines, orderLines, reasonLines, storeLines } from '../text/review-text.ts';

export type Options = { all?: true; json?: true };

export async function review(context: CliContext, core: Core, { all, json }: Options): Promise<void> {
  if (all !== true && json !== true) return inGroups(context, core);
  const waiting = await listWaiting(core);
  const { orders, deliveries, stores, unreadable, cutAt } = waiting;
  if (json) printJson(context, { orders, deliveries, stores });
  else printLines(context, eachLines(waiting, storeNames(await core.connections.list())));
  noteUnreadable(context, unreadable);
  if (cutAt !== null) note(context, `Only the newest ${cutAt} of a kind are shown.`);
}

async function inGroups(context: CliContext, { pool, connections }: Core): Promise<void> {
  const { reasons, deliveries, stores, nameOf } = await listReview({ pool, connections, now: () => new Date() });
  const lines = [
    ...stores.flatMap((held) => storeLines(held, nameOf)),
    ...reasons.flatMap((reason) => reasonLines(reason, terminalWidth(context.stdout))),
    ...deliveries.flatMap((delivery) => deliveryLines(delivery, nameOf)),
  ];
  printLines(context, lines.length === 0 ? ['Nothing waits for a person.'] : lines);
}

function eachLines({ orders, deliveries, stores }: Waiting, nameOf: StoreNames): string[] {
  if (orders.length + deliveries.length + stores.length === 0) return ['Nothing waits for a person.'];
  return [
    ...stores.flatMap((held) => storeLines(held, nameOf)),
    ...orders.flatMap((order) => orderLines(order, nameOf)),
    ...deliveries.flatMap((delivery) => deliveryLines(delivery, nameOf)),
  ];
}
