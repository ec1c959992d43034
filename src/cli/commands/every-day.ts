import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options as ActivityOptions, TailOptions } from '../actions/activity.ts';
import type { Json as ProposalsJson } from '../actions/proposals.ts';
import type { Options as ReviewOptions } from '../actions/review.ts';
import { duration, wholeNumber } from '../input/arguments.ts';
import { givenWhy } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const statusActions = () => import('../actions/status.ts');

/** `orderbridge status` */
export function statusCommand(context: CliContext): Command {
  return new Command('status')
    .description(
      'Says whether all is well, and if not, why, since when, how many orders and how much money it concerns, and what to type. ' +
        'failing: orders of a connected store can’t be recorded, or a legal term is past; attention: all else that a person should know of. ' +
        'What can’t be asked is failing, too. Exit code 0 if all is well, 1 for attention, 2 for failing.',
    )
    .option('--json', 'print JSON: {health, at, failedChecks: [{code, level, subject, count, total, since, words, verb}]}')
    .action(async (options: { json?: true }) => (await statusActions()).status(context, options));
}

const reviewActions = () => import('../actions/review.ts');

/** `orderbridge review` */
export function reviewCommand(context: CliContext): Command {
  return new Command('review')
    .description(
      'Lists everything that waits for a person: orders in review and unconfirmed ones in groups, with the reason, their sum, the month whose file would miss ' +
        'them, and what to do; webhooks that are signed but can’t be read, so that their orders are not known; and hosts whose webhooks are quarantined because ' +
        'they are not the store’s.',
    )
    .option('--all', 'each order by itself')
    .option('--json', 'print JSON: {orders, deliveries, stores}, each order by itself')
    .action((options: ReviewOptions) => withCore(context, async (core) => (await reviewActions()).review(context, core, options)));
}

const proposalsActions = () => import('../actions/proposals.ts');

const ID = 'id of the proposal (`orderbridge proposals` shows it)';

/** `orderbridge proposals` */
export function proposalsCommand(context: CliContext): Command {
  const list = new Command('list')
    .description('Lists the answers that accountants proposed in the console, and that nobody took or declined yet.')
    .option('--json', 'print JSON: an array of proposals')
    .action(async (options: ProposalsJson) => (await proposalsActions()).listAll(context, options));
  const accept = new Command('accept')
    .description('Changes the settings to what was proposed, and decides one of the orders that wait for it by them; `orderbridge release --code` goes on.')
    .argument('<id>', ID)
    .action(async (id: string) => (await proposalsActions()).acceptOne(context, id));
  const decline = new Command('decline')
    .description('Declines a proposal; the accountant who made it reads why in the console.')
    .argument('<id>', ID)
    .option('--why <words>', 'why, for the accountant who proposed it; needed')
    .action(async (id: string, { why }: { why?: string }) => (await proposalsActions()).declineOne(context, { id, why: givenWhy(why) }));
  return new Command('proposals')
    .description('Answers to the issues of waiting orders that accountants proposed: an operator takes them, or says why not.')
    .addCommand(list, { isDefault: true })
    .addCommand(accept)
    .addCommand(decline);
}

const activityActions = () => import('../actions/activity.ts');

/** `orderbridge activity` */
export function activityCommand(context: CliContext): Command {
  return new Command('activity')
    .description(
      'Lists what was done, the newest first: each command that changed something, with who gave it (cli:user@host), what was before and after, and why; ' +
        'and where the program itself sent an order to review, or had it wait for nobody any more (orderbridge). Nothing is ever changed in this list or taken out of it. ' +
        'What was done at our own compliance service is listed without --order and --connection.',
    )
    .option('--order <order>', 'only what was done about this order: its id or number')
    .option('--connection <id>', 'only what was done about this connection and its orders')
    .option('--limit <n>', 'how many at most', wholeNumber, 100)
    .option('--json', 'print JSON: an array of {id, at, trail, who, act, means, bg, connectionId, store, order, subject, before, after, why}')
    .action((options: ActivityOptions) => withCore(context, async (core) => (await activityActions()).activity(context, core, options)));
}

/** `orderbridge tail` */
export function tailCommand(context: CliContext): Command {
  return new Command('tail')
    .description(
      'Prints what happens, a line each, until Ctrl-C: webhooks accepted and refused and what they did, what is submitted and answered, receipts, orders that ' +
        'need review, pauses, readings of stores, and acts of people. No buyers. It reads the ledger once a second, beside a running server in whatever roles; ' +
        'a server whose events nobody tails does nothing for it. Refused webhooks show within 5 seconds.',
    )
    .argument('[connection]', 'id of the connection; all of them if left out')
    .option('--since <time>', 'begin with what happened in the last 30s, 10m or 2h', duration)
    .option('--json', 'print JSON, one line each: {at, of, connectionId, store, orderId, number, words}; of: delivery, refusal, step, sync, act or pause')
    .action((connection: string | undefined, options: TailOptions) =>
      withCore(context, async (core) => (await activityActions()).follow(context, core, { connection, ...options })),
    );
}
