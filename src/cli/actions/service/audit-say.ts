import { knownShop } from '../../../operations/service/shops.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printLines } from '../../../platform/terminal/print.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { auditCommandLine, noVersionWords } from '../../text/audit-text.ts';

export type Options = { shop: string; month: string; why?: string };

export async function markChecked(context: CliContext, { audit, months }: ComplianceService, options: Options & { version: number }): Promise<void> {
  const { shop, month: of, version, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const checked = await months.checked({ ...key, version, said: { by: cliActor(), why } });
  if (!checked.ok) throw new CliError(noVersionWords(key, checked.last));
  printLines(context, [`It is kept that the sums of version ${version} of the file of ${of} agree with bookkeeping.`]);
}

export async function markAccepted(context: CliContext, { audit, months }: ComplianceService, { shop, month: of, why }: Options): Promise<void> {
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const accepted = await months.accepted({ ...key, said: { by: cliActor(), why } });
  if (!accepted.ok)
    throw new CliError(`the file of ${of} is not marked as filed (the month is ${accepted.state}); ${auditCommandLine('mark-filed', key)} says that it is`);
  printLines(context, [`It is kept that the agency accepted version ${accepted.version} of the file of ${of}.`]);
}
