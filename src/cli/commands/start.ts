import { once } from 'node:events';
import { setPriority } from 'node:os';
import { Command, Option } from 'commander';
import { startApp } from '../../app/start-app.ts';
import { type Config, ROLES, type Role } from '../../config/config.ts';
import { readConfig } from '../../config/read-config.ts';
import { createLog, type Log } from '../../platform/log.ts';
import type { CliContext } from '../../platform/terminal/context.ts';

/** On one machine a storefront's answer comes before the submission of what was answered: the one has seconds, the other has minutes. */
const WORKER_NICENESS = 10;

/** `orderbridge start` */
export function startCommand(context: CliContext): Command {
  return new Command('start')
    .description(
      'Runs orderbridge until it gets SIGTERM or SIGINT: then it takes no new webhooks, finishes or hands back what runs, and exits within 30 s. ' +
        'Roles may run in any number of processes, on one DATABASE_URL and one REDIS_URL; only role all may use the embedded PostgreSQL.',
    )
    .addOption(
      new Option('--role <role>', 'receiver takes webhooks, worker submits, compliance is our own compliance service, all is everything in one process')
        .choices([...ROLES])
        .default('all'),
    )
    .action((options: { role: Role }) => start(context, options));
}

async function start(context: CliContext, { role }: { role: Role }): Promise<void> {
  const config = readConfig(context, role);
  const log = createLog({ level: config.logLevel, name: `orderbridge-${role}` });
  if (role === 'worker') setPriority(WORKER_NICENESS);
  sayWhere(log, config);
  const app = await startApp({ config, role, log });
  if (!context.signal.aborted) await once(context.signal, 'abort');
  log.info({ event: 'stopping', signal: context.signal.reason }, 'stopping: no new work is taken, what runs is finished');
  await app[Symbol.asyncDispose]();
  log.info({ event: 'stopped' }, 'stopped');
}

function sayWhere(log: Log, { database, queue, compliance, dataDir }: Config): void {
  if (database.kind === 'embedded') log.info({ dataDir }, 'DATABASE_URL is unset: the ledger is in an embedded PostgreSQL in DATA_DIR');
  else log.info('the ledger is in the PostgreSQL of DATABASE_URL');
  if (queue.kind === 'postgres') log.info('REDIS_URL is unset: BullMQ runs on PostgreSQL, in the database of the ledger; set REDIS_URL for production');
  else log.info('BullMQ runs on the Redis of REDIS_URL');
  if (compliance.kind === 'embedded') log.info('COMPLIANCE_API_URL is unset: the embedded compliance service is used');
  else log.info({ baseUrl: compliance.baseUrl }, 'records go to the compliance service of COMPLIANCE_API_URL');
}
