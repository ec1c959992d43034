import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/keys-grant.ts');

/** `orderbridge service keys grant` */
export function keysGrantCommand(context: CliContext): Command {
  return new Command('grant')
    .argument('<id>', 'id of the key, from `orderbridge service keys list`')
    .argument('<uic>', 'company number (ЕИК)')
    .summary('let the owner of a key create shops of a company')
    .description(
      'A company belongs to the owner whose key used its number first; this lets another one in, who then shares its sequence of document numbers. ' +
        'Make sure that the company is his. Of a company that several owners had already, it confirms that one of them is right.',
    )
    .option('--move', 'take the company away from all others: they create no more shops of it, and those that they have take no new orders')
    .action((id: string, companyUic: string, options: { move?: true }) =>
      withService(context, async (opened) => (await actions()).grant(context, opened, { id, companyUic, ...options })),
    );
}
