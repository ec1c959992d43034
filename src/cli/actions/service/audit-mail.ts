import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printLines } from '../../../platform/terminal/print.ts';
import type { Mailed } from '../../../service/audit/month/mail-version.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { type CliWords, en } from '../../words/en.ts';

export type Options = { shop: string; month: string; why?: string };

export async function mail(context: CliContext, { audit, months }: ComplianceService, { shop, month: of, why }: Options): Promise<void> {
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const { mail: say } = en.months;
  const mailed = await months.mailed({ ...key, said: { by: cliActor(), why } });
  if (!mailed.ok) throw new CliError(notMailedWords(key, mailed, say));
  printLines(context, [say.queued(mailed.version, of)]);
}

function notMailedWords(key: MonthKey, refused: Extract<Mailed, { ok: false }>, say: CliWords['months']['mail']): string {
  if (refused.why === 'just-mailed') return say.justMailed(refused.until);
  if (refused.why === 'filed') return say.filed(key.month);
  return say.none(key.month, auditCommandLine('generate', key));
}
