import { planAgain } from '../../operations/orders/plan-again.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';
import { confirm } from '../input/confirm.ts';
import { withNotify } from '../with-queues.ts';
import { en } from '../words/en.ts';

export async function run(context: CliContext, { named, why, yes }: { named: string; why: string; yes: boolean }): Promise<void> {
  const { planAgain: say } = en.work;
  if (!yes) await confirm(context, say.ask(named));
  const { id } = await withNotify(context, ({ pool, connections, config }, notify) =>
    planAgain({ pool, connections, notify, hasService: config.compliance.kind === 'embedded' }, { named, by: cliActor(), why }),
  );
  printLines(context, [say.done(id)]);
}
