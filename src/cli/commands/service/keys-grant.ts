import { Command } from 'commander';
import { grantCompany } from '../../../operations/service/keys.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import { cliActor } from '../../actor.ts';
import { type Opened, withService } from '../../with-core.ts';
import { wordsFor } from '../../words/words.ts';

type Wanted = { id: string; companyUic: string; move?: true };

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
      withService(context, (opened) => grant(context, opened, { id, companyUic, ...options })),
    );
}

async function grant(context: CliContext, { core }: Opened, { id, companyUic, move }: Wanted): Promise<void> {
  const { ownerId, from } = await grantCompany(core, { id, companyUic, move: move === true, by: cliActor() });
  const { keys: say } = wordsFor(context).service;
  printLines(context, [say.granted(ownerId, companyUic), ...from.map((one) => say.noLonger(one.ownerId))]);
  for (const { ownerId: other, shops } of from.filter((one) => one.shops > 0)) note(context, say.left(other, shops, companyUic));
}
