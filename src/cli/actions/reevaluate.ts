import { reevaluateOrder } from '../../operations/orders/reevaluate-order.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { withNotify } from '../with-queues.ts';

export async function run(context: CliContext, { named, why, yes }: { named: string; why: string; yes: boolean }): Promise<void> {
  if (!yes) await confirm(context, `Delete the record of ${named}, and create another one?`);
  const { id } = await withNotify(context, ({ pool, connections, config }, notify) =>
    reevaluateOrder({ pool, connections, notify, hasService: config.compliance.kind === 'embedded' }, { named, by: cliActor(), why }),
  );
  printLines(context, [`The order is recorded anew by today’s settings: \`orderbridge order id:${id}\` shows what becomes of it.`]);
}
