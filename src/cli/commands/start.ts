import { Command, Option } from 'commander';
import { ROLES, type Role } from '../../config/config.ts';
import type { CliContext } from '../../platform/terminal/context.ts';

const actions = () => import('../actions/start.ts');

/** `orderbridge start` */
export function startCommand(context: CliContext): Command {
  return new Command('start')
    .description(
      'Runs orderbridge until it gets SIGTERM or SIGINT: then it takes no new webhooks, finishes running jobs or returns them to the queue, and exits within 30 s. ' +
        'Roles may run in any number of processes, on one DATABASE_URL and one REDIS_URL; only role all may use the embedded PostgreSQL.',
    )
    .addOption(
      new Option(
        '--role <role>',
        'receiver takes webhooks, worker submits, console serves the pages for people, compliance is our own compliance service, all is everything in one process',
      )
        .choices([...ROLES])
        .default('all'),
    )
    .action(async (options: { role: Role }) => (await actions()).start(context, options));
}
