import { Command } from 'commander';
import { knownShop } from '../../../operations/service/known-shop.ts';
import { type CliContext, CliError } from '../../../platform/terminal/context.ts';
import { printLines } from '../../../platform/terminal/print.ts';
import type { Mailed } from '../../../service/audit/month/mail-version.ts';
import type { MonthKey } from '../../../service/audit/month/month-key.ts';
import type { ComplianceService } from '../../../service/compliance-service.ts';
import { cliActor } from '../../actor.ts';
import { month } from '../../input/arguments.ts';
import { whyOption } from '../../input/why.ts';
import { auditCommandLine } from '../../text/audit-words.ts';
import { withService } from '../../with-core.ts';
import { type CliWords, wordsFor } from '../../words/words.ts';

type Options = { shop: string; month: string; why?: string };

/** `orderbridge service audit mail` */
export function auditMailCommand(context: CliContext): Command {
  return new Command('mail')
    .summary('mail the audit file of a month')
    .description(
      'Mails the last version of a month’s audit file to the shop and its recipients, with the link to the month’s page; also if it was mailed before. A ' +
        'link that has expired is made anew.',
    )
    .requiredOption('--shop <id>', 'id of the shop')
    .requiredOption('--month <month>', 'the month, such as 2026-10', month)
    .addOption(whyOption())
    .action((options: Options) => withService(context, ({ service }) => mail(context, service, options)));
}

async function mail(context: CliContext, { audit, months }: ComplianceService, { shop, month: of, why }: Options): Promise<void> {
  const key = { shopId: (await knownShop(audit, shop)).id, month: of };
  const { mail: say } = wordsFor(context).months;
  const mailed = await months.mailed({ ...key, said: { by: cliActor(), why } });
  if (!mailed.ok) throw new CliError(notMailedWords(key, mailed, say));
  printLines(context, [say.queued(mailed.version, of)]);
}

function notMailedWords(key: MonthKey, refused: Extract<Mailed, { ok: false }>, say: CliWords['months']['mail']): string {
  if (refused.why === 'just-mailed') return say.justMailed(refused.until);
  if (refused.why === 'filed') return say.filed(key.month);
  return say.none(key.month, auditCommandLine('generate', key));
}
