import { grantCompany } from '../../../operations/service/keys.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { note, printLines } from '../../../platform/terminal/print.ts';
import { cliActor } from '../../actor.ts';
import type { Opened } from '../../with-core.ts';
import { en } from '../../words/en.ts';

type Wanted = { id: string; companyUic: string; move?: true };

export async function grant(context: CliContext, { core }: Opened, { id, companyUic, move }: Wanted): Promise<void> {
  const { ownerId, from } = await grantCompany(core, { id, companyUic, move: move === true, by: cliActor() });
  const { keys: say } = en.service;
  printLines(context, [say.granted(ownerId, companyUic), ...from.map((one) => say.noLonger(one.ownerId))]);
  for (const { ownerId: other, shops } of from.filter((one) => one.shops > 0)) note(context, say.left(other, shops, companyUic));
}
