import { Command, Option } from 'commander';
import { ROLES, type Role } from '../../config/config.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options as AlertsOptions } from '../actions/alerts.ts';
import type { Json as DestinationsJson, QueuesOptions, ResumeOptions } from '../actions/destinations.ts';
import type { Options as DrainOptions } from '../actions/drain.ts';
import { seconds } from '../input/arguments.ts';
import { whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const startActions = () => import('../actions/start.ts');

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
    .action(async (options: { role: Role }) => (await startActions()).start(context, options));
}

/** `orderbridge demo` */
export function demoCommand(context: CliContext): Command {
  return new Command('demo')
    .description(
      'Shows the whole way on this machine: starts everything on embedded defaults in a scratch folder, connects a Shopify, a WooCommerce and a Standard Webhooks store, ' +
        'sends their signed webhooks, and compares the records at the compliance service with the expected ones. Then it prints the address of its console, signed in, with a story to finish, and stays up to be looked at. ' +
        'PORT is used if it is set, else 3000 or, if that is taken, a free one.',
    )
    .option('--once', 'take everything down at the end; exit code 0 if every order ended as it should, else 1')
    .option('--keep', 'keep the folder at the end, and say how to go on with it')
    .action(async ({ once, keep }: { once?: true; keep?: true }) => {
      const { runDemo } = await import('../../demo/run-demo.ts');
      return runDemo(context, { once: once === true, keep: keep === true });
    });
}

const doctorActions = () => import('../actions/doctor.ts');

/** `orderbridge doctor` */
export function doctorCommand(context: CliContext): Command {
  return new Command('doctor')
    .description(
      'Tells all that `orderbridge status` does, and what is right, too. Checks the configuration, the database, the queue (that none is paused; with the persistence and eviction policy of Redis), the compliance API ' +
        '(that it can be reached and takes the keys, by a DELETE of an order that can’t exist, which must answer 404), with our own one also the mail server, ' +
        'exchange rates and audit files; of each connected store whether its shop is known, its key reads orders, and when its last webhook came; ' +
        'the identity provider, if there is one; PUBLIC_URL, orders that seem to be left out or to lack their VAT, the disk and the clock, ' +
        'and prints every setting of the requests to the compliance API. Exit code 1 if something is wrong, 0 if things only wait for a person.',
    )
    .action(() => withCore(context, async (core) => (await doctorActions()).doctor(context, core)));
}

const drainActions = () => import('../actions/drain.ts');

/** `orderbridge drain` */
export function drainCommand(context: CliContext): Command {
  return new Command('drain')
    .description(
      'Waits until no work is left: no order whose record is pending (orders in review and unconfirmed ones aside), no webhook or submission that waits, ' +
        'runs or is due. Throttled and retried work counts as left. Then prints how many orders are in each state. ' +
        'Without a running server on this DATA_DIR it does the work itself.',
    )
    .option('--timeout <seconds>', 'how long to wait; then the remaining work is printed, with exit code 1', seconds, 60)
    .option('--json', 'print JSON: drained, states, and the work that is left')
    .action((options: DrainOptions) => withCore(context, async (core) => (await drainActions()).drain(context, core, options)));
}

const destinationsActions = () => import('../actions/destinations.ts');

/** `orderbridge queues` */
export function queuesCommand(context: CliContext): Command {
  return new Command('queues')
    .description(
      'Lists the queues with their jobs, and whether one is paused: nothing is taken from it then, though webhooks are still accepted. ' +
        'Nothing here pauses a queue; another tool for BullMQ can.',
    )
    .option('--resume <queue>', 'take work from a paused queue again')
    .option('--json', 'print JSON: name, isPaused, jobs by state')
    .action((options: QueuesOptions) => withCore(context, async (core) => (await destinationsActions()).queues(context, core, options)));
}

const alertsActions = () => import('../actions/alerts.ts');

/** `orderbridge alerts` */
export function alertsCommand(context: CliContext): Command {
  const test = new Command('test')
    .description(
      'Sends a test by every channel of the configuration at once (ALERT_MAIL_TO, ALERT_SLACK_URL, ALERT_WEBHOOK_URL), fetches HEARTBEAT_URL, and prints ' +
        'what each answered. Exit code 1 if one did not take it. A channel that took it is not reported as broken any more.',
    )
    .action(() => withCore(context, async (core) => (await alertsActions()).testAll(context, core)));
  const list = new Command('list')
    .description('Lists the last 50 messages: when, by which channel, what became of it, and what it says.')
    .option('--json', 'print JSON: id, channel, kind, body, createdAt, attempts, sentAt, failedAt, lastError')
    .action((options: AlertsOptions) => withCore(context, async (core) => (await alertsActions()).listLast(context, core, options)));
  return new Command('alerts').description('Tests the channels of alerts, and lists what was told.').addCommand(test).addCommand(list);
}

const NAMED = ['[destination]', 'its address, or the beginning of its id; not needed if there is one'] as const;

/** `orderbridge destinations` */
export function destinationsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description(
      'Lists the compliance services that stores have, each with the end of its key, its stores, and how many requests of the last hour it took; and what is ' +
        'paused there: since when, why, how many orders wait, and when one of them tries it again.',
    )
    .option('--json', 'print JSON: destinationId, address (null: our own), keyEnd, stores, pauses, lastHour, lastProbe')
    .action((options: DestinationsJson) => withCore(context, async (core) => (await destinationsActions()).listAll(context, core, options)));
  const probe = new Command('probe')
    .description(
      'Asks a compliance service whether it answers and takes the key, by deleting an order that can’t exist, and prints the answer and how long it took. Where ' +
        'it is paused, one order of each pause is sent now: what it is answered ends the pause, or makes it longer. Exit code 1 if it does not work.',
    )
    .argument(...NAMED)
    .option('--json', 'print JSON: destinationId, address, works, status, ms, detail, probed')
    .action((named: string | undefined, options: DestinationsJson) =>
      withCore(context, async (core) => (await destinationsActions()).probeOne(context, core, { named, ...options })),
    );
  const resume = new Command('resume')
    .description('Ends the pauses of a compliance service: all orders that wait for it are sent now. If it still fails, it is paused again.')
    .argument(...NAMED)
    .option('--shop <id>', 'end only the pauses of this shop')
    .addOption(whyOption())
    .option('--json', 'print JSON: destinationId, address, ended')
    .action((named: string | undefined, options: ResumeOptions) =>
      withCore(context, async (core) => (await destinationsActions()).resumeOne(context, core, { named, ...options })),
    );
  return new Command('destinations')
    .description('The compliance services that records are sent to: what is paused, whether they answer, and the end of a pause.')
    .addCommand(list, { isDefault: true })
    .addCommand(probe)
    .addCommand(resume);
}
