import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/jobs.ts');

/** `orderbridge jobs` */
export function jobsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description('Lists the background jobs by kind: how many wait, are due, run, fail or can’t be done; and those that failed, with the reason.')
    .option('--json', 'print JSON: counts, failing')
    .action((options: { json?: true }) => withCore(context, async (core) => (await actions()).listJobs(context, core, options)));
  const retry = new Command('retry')
    .description('Has the jobs of a kind that failed tried again at once, or one of them.')
    .argument('<kind>', 'as the list names it')
    .argument('[key]', 'the job; default: all of the kind')
    .action((kind: string, key: string | undefined) =>
      withCore(context, async (core) => (await actions()).retryJobs(context, core, { kind, key: key ?? null })),
    );
  const drop = new Command('drop')
    .description('Drops a job: it is not done. Jobs whose loss would be a wrong record, a missed erasure or an unread store can’t be dropped.')
    .argument('<kind>', 'as the list names it')
    .argument('<key>', 'the job')
    .addOption(whyOption())
    .action((kind: string, key: string, { why }: { why?: string }) =>
      withCore(context, async (core) => (await actions()).dropJob(context, core, { kind, key, why })),
    );
  return new Command('jobs')
    .description('Background jobs: what waits, runs and fails.')
    .addCommand(list, { isDefault: true })
    .addCommand(retry)
    .addCommand(drop);
}
