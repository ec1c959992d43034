import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printLines } from '../../../platform/terminal/print.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { noVersionWords } from '../../text/audit-versions-text.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { en } from '../../words/en.ts';

export type Options = { shop: string; month: string; why?: string };

export async function markChecked(context: CliContext, { audit, months }: ComplianceService, options: Options & { version: number }): Promise<void> {
  const { shop, month: of, version, why } = options;
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const { months: say } = en;
  const checked = await months.checked({ ...key, version, said: { by: cliActor(), why } });
  if (!checked.ok) throw new CliError(noVersionWords(key, checked.last, say));
  printLines(context, [say.said.checked(version, of)]);
}

export async function markAccepted(context: CliContext, { audit, months }: ComplianceService, { shop, month: of, why }: Options): Promise<void> {
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const { said: say } = en.months;
  const accepted = await months.accepted({ ...key, said: { by: cliActor(), why } });
  if (!accepted.ok) throw new CliError(say.notFiled(of, accepted.state, auditCommandLine('mark-filed', key)));
  printLines(context, [say.accepted(accepted.version, of)]);
}
