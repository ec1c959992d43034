import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { whyOption } from '../input/why.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/disconnect.ts');

/** `orderbridge disconnect` */
export function disconnectCommand(context: CliContext): Command {
  return new Command('disconnect')
    .description(
      'Stops taking webhooks of a connection: they are removed from the store, if its key may do that, and answered 410 from then on, but for privacy requests. ' +
        'What remains in the store is printed, with where to delete it; the same again removes what could not be removed before. Orders accepted before are still submitted, ' +
        'and recorded ones stay recorded. Connecting the same store to the same shop again goes on from there, with the same address; to change keys or settings, `orderbridge reconnect` is enough.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .addOption(whyOption())
    .action((id: string, options: { why?: string }) => withCore(context, async (core) => (await actions()).disconnect(context, core, { id, ...options })));
}
