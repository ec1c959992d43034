import { Command, Option } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';
import type { ListOptions } from '../../actions/service/mails.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

const actions = () => import('../../actions/service/mails.ts');

/** `orderbridge service mails` */
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
    .action((options: ListOptions) => withService(context, async ({ core }) => (await actions()).list(context, core, options)));
  mails
    .command('retry')
    .argument('<id>', 'id of the mail, from `orderbridge service mails list --state failed`')
    .summary('retry a failed mail')
    .description('Makes a failed mail due again, with all its tries. Recipients who have it do not get it twice. A running server sends it.')
    .action((id: string) => withService(context, async ({ core }) => (await actions()).retry(context, core, id)));
  return mails;
}
