import { grantCompany } from '../../../operations/service/keys.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import { cliActor } from '../../actor.ts';
import type { Opened } from '../../with-core.ts';

type Wanted = { id: string; companyUic: string; move?: true };

export async function grant(context: CliContext, { core }: Opened, { id, companyUic, move }: Wanted): Promise<void> {
  const { ownerId, from } = await grantCompany(core, { id, companyUic, move: move === true, by: cliActor() });
  printLines(context, [
    `The owner of the key ${ownerId} may create shops of the company ${companyUic}.`,
    ...from.map((one) => `The owner of the key ${one.ownerId} no longer may.`),
  ]);
  for (const { ownerId: other, shops } of from.filter((one) => one.shops > 0))
    note(
      context,
      `Warning: the owner of the key ${other} has ${shops === 1 ? 'a shop of this company, which takes' : `${shops} shops of this company, which take`} no new orders; ` +
        `what they recorded can be corrected, and is to be filed; \`orderbridge service numbers show ${companyUic}\` lists all.`,
    );
}
