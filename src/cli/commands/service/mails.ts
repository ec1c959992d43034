import { Command, Option } from 'commander';
import type { Core } from '../../../app/core.ts';
import type { MailsWanted } from '../../../operations/service/receipts.ts';
import { type CliContext, cliActor } from '../../../platform/terminal/context.ts';
import { localOrNone, localTime } from '../../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { ShopMail } from '../../../service/mail/shop-mails.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

export function mailsCommand(context: CliContext): Command {
  const mails = new Command('mails').summary('list and retry mails').description('Shows the outbox: mails with receipts and audit files, and their states.');
  mails
    .command('list')
    .summary('list mails')
    .description('Lists mails, newest first, without their content and recipients.')
    .option('--shop <id>', 'only those of this shop')
    .addOption(new Option('--state <state>', 'only those in this state').choices(['waiting', 'sent', 'failed']))
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of mails')
    .action((options: ListOptions) => withService(context, ({ core }) => list(context, core, options)));
  mails
    .command('retry')
    .argument('<id>', 'id of the mail, from `orderbridge service mails list --state failed`')
    .summary('retry a failed mail')
    .description('Makes a failed mail due again, with all its tries. Recipients who have it do not get it twice. A running server sends it.')
    .action((id: string) => withService(context, ({ core }) => retry(context, core, id)));
  return mails;
}

type ListOptions = MailsWanted & { json?: true };

async function list(context: CliContext, core: Core, { json, ...wanted }: ListOptions): Promise<void> {
  const { mailsOf } = await import('../../../operations/service/receipts.ts');
  const { mails, more } = await mailsOf(core, wanted);
  if (json) printJson(context, mails);
  else if (mails.length === 0) printLines(context, ['No mail found.']);
  else printTable(context, mailsTable(mails));
  if (more) note(context, `Only the newest ${wanted.limit} are shown; narrow the list with --shop or --state, or raise --limit.`);
}

function mailsTable(mails: readonly ShopMail[]): PrintedTable {
  return {
    header: ['kind', 'state', 'when', 'tries', 'last error', 'made', 'shop', 'id'],
    rows: mails.map(({ id, kind, shopId, createdAt, state, attempts, nextAt, sentAt, failedAt, lastError }) => [
      kind,
      state,
      localOrNone(sentAt ?? failedAt ?? nextAt),
      String(attempts),
      lastError,
      localTime(createdAt),
      shopId,
      id,
    ]),
    give: ['shop', 'made', 'tries', 'last error'],
    keep: ['id', 'state', 'when'],
  };
}

async function retry(context: CliContext, core: Core, id: string): Promise<void> {
  const { retryFailedMail } = await import('../../../operations/service/receipts.ts');
  await retryFailedMail(core, { id, by: cliActor() });
  printLines(context, [`The mail ${id} is due again; a running server sends it.`]);
}
