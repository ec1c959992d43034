import { knownShop } from '../../../operations/service/shops.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printLines } from '../../../platform/terminal/print.ts';
import type { Mailed } from '../../../service/audit/month/month-outbox.ts';
import type { MonthKey } from '../../../service/audit/month/month-state.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { auditCommandLine } from '../../text/audit-text.ts';

export type Options = { shop: string; month: string; why?: string };

export async function mail(context: CliContext, { audit, months }: ComplianceService, { shop, month: of, why }: Options): Promise<void> {
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const mailed = await months.mailed({ ...key, said: { by: cliActor(), why } });
  if (!mailed.ok) throw new CliError(notMailedWords(key, mailed));
  printLines(context, [
    `Version ${mailed.version} of the file of ${of} is in the outbox; a running server sends it. \`orderbridge service mails list\` shows its state.`,
  ]);
}

function notMailedWords(key: MonthKey, refused: Extract<Mailed, { ok: false }>): string {
  if (refused.why === 'just-mailed') return `it was mailed just now; it can be mailed again after ${refused.until}`;
  if (refused.why === 'filed') return `the file of ${key.month} is marked as filed, so nobody has to file it any more`;
  return `there is no file of ${key.month} to be mailed; ${auditCommandLine('generate', key)} makes it`;
}
