import type { Core } from '../../app/core.ts';
import { dropOneJob, reportJobs, retryFailedJobs } from '../../operations/jobs.ts';
import { JOB_STATES } from '../../platform/jobs/job-store.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { cliActor } from '../actor.ts';
import { givenWhy } from '../input/shared-options.ts';
import { plural } from '../text/plural.ts';

export async function listJobs(context: CliContext, core: Core, { json }: { json?: true }): Promise<void> {
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

export async function retryJobs(context: CliContext, core: Core, job: { kind: string; key: string | null }): Promise<void> {
  const count = await retryFailedJobs(core, { ...job, by: cliActor() });
  printLines(context, [`${plural(count, 'job is', 'jobs are')} tried again now.`]);
}

export async function dropJob(context: CliContext, core: Core, { kind, key, why }: { kind: string; key: string; why: string | undefined }): Promise<void> {
  await dropOneJob(core, { kind, key, why: givenWhy(why), by: cliActor() });
  printLines(context, [`The job ${kind} ${oneLine(key)} is dropped.`]);
}
