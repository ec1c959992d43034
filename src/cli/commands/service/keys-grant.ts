import { Command } from 'commander';
import { grantCompany } from '../../../operations/service/keys.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import { cliActor } from '../../actor.ts';
import { type Opened, withService } from '../../with-core.ts';

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
  printLines(context, [
    `The owner of the key ${ownerId} may create shops of the company ${companyUic}.`,
    ...from.map((one) => `The owner of the key ${one.ownerId} no longer may.`),
  ]);
  for (const { ownerId: other, shops } of from.filter((one) => one.shops > 0)) {
    const what = shops === 1 ? 'a shop of this company, which takes' : `${shops} shops of this company, which take`;
    const rest = 'what they recorded can be corrected, and is to be filed';
    note(context, `Warning: the owner of the key ${other} has ${what} no new orders; ${rest}; \`orderbridge service numbers show ${companyUic}\` lists all.`);
  }
}
