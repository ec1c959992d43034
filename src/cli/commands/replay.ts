import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/replay.ts');

/** `orderbridge replay` */
export function replayCommand(context: CliContext): Command {
  return new Command('replay')
    .description(
      'Reads a kept webhook again as if it came now, but with its own time of arrival, so that it does not overtake later ones. ' +
        'For webhooks that could not be read, after an upgrade; replaying any other changes nothing that is right.',
    )
    .argument('<delivery>', 'id of the delivery (`orderbridge review` and `orderbridge order` show it)')
    .action((id: string) => withCore(context, async (core) => (await actions()).replay(context, core, id)));
}
