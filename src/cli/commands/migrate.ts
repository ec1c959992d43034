import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { withCore } from '../with-core.ts';

export function migrateCommand(context: CliContext): Command {
  return new Command('migrate')
    .description(
      'Makes the tables and functions of this version in the database, or brings them up to date, as the role of DATABASE_URL, which must own them. ' +
        'Needed where the program has a role that may not: run it before the first start, and before the processes of a new version start. ' +
        'What is up to date is left alone. It refuses while processes run that are too old to run beside the new tables, and names them.',
    )
    .option('--service', 'those of our own compliance service, too, although COMPLIANCE_API_URL is set here')
    .action((options: { service?: true }) => withCore(context, (core) => migrateAll(context, core, options)));
}

/** The core's are up to date once it is open. */
async function migrateAll(context: CliContext, core: Core, { service }: { service?: true }): Promise<void> {
  const made = ['bridge', 'jobs'];
  if (service || core.config.compliance.kind === 'embedded') {
    const { openService } = await import('../../app/embedded-service.ts');
    await using _service = await openService(core);
    made.push('compliance');
  }
  if (core.config.queue.kind === 'postgres') {
    const { openQueues } = await import('../../app/queues.ts');
    await using queues = openQueues(core);
    await queues.deliveries.waitUntilReady();
    await queues.system.makeCounters();
    made.push('bullmq');
  }
  printLines(context, [`Up to date: the schemas ${made.join(', ')}.`]);
}
