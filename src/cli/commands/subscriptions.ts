import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options } from '../actions/subscriptions.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/subscriptions.ts');

/** `orderbridge subscriptions` */
export function subscriptionsCommand(context: CliContext): Command {
  return new Command('subscriptions')
    .description(
      'Lists the webhooks by which a store sends to this connection, and what is wrong with them: missing, disabled by the store, paused by a person, ' +
        'with another address, bringing a part alone, or sending what does not arrive. Every hour this is looked at by itself: what is missing or disabled, or ' +
        'brings a part alone, is made anew where the key may write. --heal does so now, and also where a person paused a webhook or it has another address. Only webhooks whose address bears ' +
        'the id of the connection are ever removed.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--heal', 'make webhooks anew that do not work, or are missing')
    .option('--json', 'print JSON: {connectionId, address, subscriptions, problems, advice, healed, stopped}')
    .action((id: string, options: Options) => withCore(context, async (core) => (await actions()).subscriptions(context, core, { id, ...options })));
}
