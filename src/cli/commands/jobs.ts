import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { counted } from '../../contract/plural.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { givenWhy, whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

export function jobsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description('Lists the background jobs by kind: how many wait, are due, run, fail or can’t be done; and those that failed, with the reason.')
    .option('--json', 'print JSON: counts, failing')
    .action((options: { json?: true }) => withCore(context, (core) => listJobs(context, core, options)));
  const retry = new Command('retry')
    .description('Retries the failed jobs of a kind at once, or one of them.')
    .argument('<kind>', 'as the list names it')
    .argument('[key]', 'the job; default: all of the kind')
    .action((kind: string, key: string | undefined) => withCore(context, (core) => retryJobs(context, core, { kind, key: key ?? null })));
  const drop = new Command('drop')
    .description(
      'Drops a job that a person started: a bulk action, or a task of a store. A running one stops soon, and what it did stays. No other job can be dropped: it would come back, or its loss would mean a wrong record, a missed erasure or an unread store.',
    )
    .argument('<kind>', 'as the list names it')
    .argument('<key>', 'the job')
    .addOption(whyOption())
    .action((kind: string, key: string, { why }: { why?: string }) => withCore(context, (core) => dropJob(context, core, { kind, key, why })));
  return new Command('jobs')
    .description('Background jobs: what waits, runs and fails.')
    .addCommand(list, { isDefault: true })
    .addCommand(retry)
    .addCommand(drop);
}

async function listJobs(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
  const { reportJobs } = await import('../../operations/jobs.ts');
  const { JOB_STATES } = await import('../../platform/jobs/job-store.ts');
  const report = await reportJobs(core);
  if (json) return printJson(context, report);
  const { counts, failing } = report;
  if (counts.length === 0) return printLines(context, ['No background job waits, runs or fails.']);
  printTable(context, {
    header: ['kind', ...JOB_STATES],
    rows: [...Map.groupBy(counts, ({ kind }) => kind)].map(([kind, of]) => [
      kind,
      ...JOB_STATES.map((state) => String(of.find((one) => one.state === state)?.count ?? 0)),
    ]),
  });
  if (failing.length === 0) return;
  printLines(context, ['']);
  printTable(context, {
    header: ['kind', 'job', 'since', 'tries', 'next', 'why'],
    rows: failing.map(({ kind, key, since, attempts, nextAt, error }) => [
      kind,
      key,
      localTime(since),
      String(attempts),
      nextAt === null ? 'when something changes' : localTime(nextAt),
      oneLine(error),
    ]),
    give: ['why'],
    keep: ['job'],
  });
}

async function retryJobs(context: CliContext, core: Core, job: { kind: string; key: string | null }): Promise<void> {
  const { retryFailedJobs } = await import('../../operations/jobs.ts');
  const count = await retryFailedJobs(core, { ...job, by: cliActor() });
  printLines(context, [`${counted.en(count, 'job is', 'jobs are')} retried now.`]);
}

async function dropJob(context: CliContext, core: Core, { kind, key, why }: { kind: string; key: string; why: string | undefined }): Promise<void> {
  const { dropOneJob } = await import('../../operations/jobs.ts');
  await dropOneJob(core, { kind, key, why: givenWhy(why), by: cliActor() });
  printLines(context, [`The job ${kind} ${oneLine(key)} is dropped.`]);
}
