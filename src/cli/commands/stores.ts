import { Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { Options as DeliveriesOptions } from '../actions/deliveries.ts';
import type { Options as ReconcileOptions } from '../actions/reconcile.ts';
import type { Options as RotateSecretOptions } from '../actions/rotate-secret.ts';
import type { Options as SendTestOptions } from '../actions/send-test.ts';
import type { Options as SettingsOptions } from '../actions/settings.ts';
import type { Options as StartRecordingOptions } from '../actions/start-recording.ts';
import type { Options as SubscriptionsOptions } from '../actions/subscriptions.ts';
import { instant, month, seconds, wholeNumber } from '../input/arguments.ts';
import { ALL_AT_ONCE, SECRET_FORMS, WAIT, whyOption } from '../input/shared-options.ts';
import { withCore } from '../with-core.ts';

const connectionsActions = () => import('../actions/connections.ts');

/** `orderbridge connections` */
export function connectionsCommand(context: CliContext): Command {
  return new Command('connections')
    .description(
      'Lists every connection, live or not, with warnings: a store that delivers signed error bodies, webhooks that name another host, ' +
        'a compliance service that is paused because it is down, throttles, or refuses the key, a store whose API is paused because it hangs, fails or refuses the key, or that could not be read by it for two periods, paid orders of which no webhook told, orders that could not be read whole, orders that have been waiting for 14 days in a status of a plugin, ' +
        'a shop nearly all of whose orders are at 0 % VAT, and a store whose webhooks are refused one after the other, even if it is disconnected.',
    )
    .option('--json', 'print JSON: an array of connections')
    .action((options: { json?: true }) => withCore(context, async (core) => (await connectionsActions()).connections(context, core, options)));
}

const settingsActions = () => import('../actions/settings.ts');

/** `orderbridge settings` */
export function settingsCommand(context: CliContext): Command {
  return new Command('settings')
    .description(
      'Shows the settings of a connection, changes some of them (--set, --unset), or replaces them with those in a JSON file: every key is optional, unknown keys are refused, absent ones have their default. ' +
        'Orders that needed review for an unmapped VAT rate or payment method (or, with removeWithoutRefund, for an unproven removal) are decided again, ' +
        'refused ones if another record would be sent for them now. Of more than 20, one goes first, and the rest follow once it is recorded. ' +
        'Orders that were ignored or waiting are decided again, too. Recorded orders keep the mapping that they were recorded with.',
    )
    .argument('<connection>', 'id or name of the connection')
    .argument('[file]', 'JSON file, such as {"vatGroups": {"9": "GROUP_D"}, "payments": {"cod": {"paymentType": "POSTAL_PAYMENT"}}}')
    .option(
      '--set <path=value>',
      'set one, such as vatGroups.9=GROUP_D or payments.cod.paymentType=POSTAL_PAYMENT; the value is JSON, else text (repeatable)',
      collect,
      [],
    )
    .option('--unset <path>', 'have its default again, such as payments.cod (repeatable)', collect, [])
    .option('--why <words>', 'why, for `orderbridge activity`')
    .option(...ALL_AT_ONCE)
    .option(...WAIT, seconds)
    .option('--json', 'print JSON: the settings as they were given, or {connectionId, difference, concerned, warnings, released, notReleased}')
    .action(async (named: string, file: string | undefined, options: SettingsOptions) => (await settingsActions()).settings(context, { named, file }, options));
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}

const rotateSecretActions = () => import('../actions/rotate-secret.ts');

/** `orderbridge rotate-secret` */
export function rotateSecretCommand(context: CliContext): Command {
  return new Command('rotate-secret')
    .description(
      'Changes the secret that a store signs its webhooks with. First give orderbridge the new one with this command, then change it in the store: ' +
        'for 24 hours both are live, so that no webhook is refused in between.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--secret <new>', `the new secret ${SECRET_FORMS}`)
    .option('--revoke-now', 'refuse the old secret from this moment, for one that has leaked')
    .action(async (id: string, options: RotateSecretOptions) => (await rotateSecretActions()).rotate(context, { id, ...options }));
}

/** `orderbridge disconnect` */
export function disconnectCommand(context: CliContext): Command {
  return new Command('disconnect')
    .description(
      'Stops taking webhooks of a connection: they are removed from the store, if its key may do that, and answered 410 from then on, but for privacy requests. ' +
        'What remains in the store is printed, with where to delete it; the same again removes what could not be removed before. Orders accepted before are still submitted, ' +
        'and recorded ones stay recorded. Connecting the same store to the same shop again goes on from there, with the same address; to change keys or settings, `orderbridge reconnect` is enough.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .addOption(whyOption())
    .action((id: string, options: { why?: string }) =>
      withCore(context, async (core) => (await connectionsActions()).disconnect(context, core, { id, ...options })),
    );
}

const startRecordingActions = () => import('../actions/start-recording.ts');

/** `orderbridge start-recording` */
export function startRecordingCommand(context: CliContext): Command {
  return new Command('start-recording')
    .description(
      'Ends the trial of a store (`orderbridge connect --trial`, or the merchants’ pages): orders paid from --from on are recorded. It first says how many ' +
        'there are and what they come to, and asks. Orders that came during the trial are decided again, and where the store can be read, what no ' +
        'webhook told is read from it.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .requiredOption('--from <when>', 'now, month (since the first of this month in Bulgaria), a day such as 2026-11-01, or a moment with its offset')
    .option('--dry-run', 'only say what would be recorded')
    .option('--yes', 'don’t ask: these orders were not recorded by other software')
    .addOption(whyOption())
    .option('--json', 'print JSON')
    .action((named: string, options: StartRecordingOptions) =>
      withCore(context, async (core) => (await startRecordingActions()).run(context, core, { named, ...options })),
    );
}

const subscriptionsActions = () => import('../actions/subscriptions.ts');

/** `orderbridge subscriptions` */
export function subscriptionsCommand(context: CliContext): Command {
  return new Command('subscriptions')
    .description(
      'Lists the webhooks by which a store sends to this connection, and what is wrong with them: missing, disabled by the store, paused by a person, ' +
        'with another address, bringing only a part, or sending what does not arrive. Every hour this is looked at by itself: what is missing or disabled, or ' +
        'brings only a part, is made anew where the key may write. --heal does so now, and also where a person paused a webhook or it has another address. Only webhooks whose address bears ' +
        'the id of the connection are ever removed.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--heal', 'make webhooks anew that do not work, or are missing')
    .option('--json', 'print JSON: {connectionId, address, subscriptions, problems, advice, healed, stopped}')
    .action((id: string, options: SubscriptionsOptions) =>
      withCore(context, async (core) => (await subscriptionsActions()).subscriptions(context, core, { id, ...options })),
    );
}

const sendTestActions = () => import('../actions/send-test.ts');

/** `orderbridge send-test` */
export function sendTestCommand(context: CliContext): Command {
  return new Command('send-test')
    .description(
      'Sends a small paid order to the running server as the store itself would, signed with the connection’s secret, waits up to 30 s, and prints what became of it. ' +
        'It is a real order to orderbridge: unless it is one that is ignored, it becomes a tax record, which must be deleted afterwards. Exit code 1 if it is not recorded.',
    )
    .argument('<connection>', 'id of the connection')
    .option('--order <file>', 'JSON file with a body as the store sends it, in place of one that is made up')
    .option('--yes', 'do not ask, although it becomes a tax record')
    .option('--json', 'print JSON: the order, as `orderbridge order --json` does')
    .action((id: string, options: SendTestOptions) => withCore(context, async (core) => (await sendTestActions()).run(context, core, { id, ...options })));
}

const deliveriesActions = () => import('../actions/deliveries.ts');

/** `orderbridge deliveries` */
export function deliveriesCommand(context: CliContext): Command {
  return new Command('deliveries')
    .description(
      'Lists the last webhooks of a connection, the newest first: what each accepted one did, and why others were refused. ' +
        'Orders that were read from the store have the topic reconcile. The last 50 refused ones are kept, without their bodies; ' +
        'new ones show within 5 seconds. Webhooks that concern no order, and requests to an unknown address, are kept nowhere.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--refused', 'only refused ones')
    .option('--limit <n>', 'how many at most', wholeNumber, 100)
    .option('--json', 'print JSON: an array of deliveries')
    .action((id: string, options: DeliveriesOptions) =>
      withCore(context, async (core) => (await deliveriesActions()).deliveries(context, core, { id, ...options })),
    );
}

const fetchActions = () => import('../actions/fetch.ts');

type ReadOptions = { from?: string };

/** `orderbridge read` */
export function readCommand(context: CliContext): Command {
  return new Command('read')
    .description(
      'Has a running worker read a store again as soon as one can: what changed in it, and what is gone. What was being read of it begins anew. It does not wait for it; `orderbridge reconcile` ' +
        'does, and says what differs.',
    )
    .argument('<connection>', 'the connection: its name, or the beginning of its id')
    .option('--from <instant>', 'what changed from then on, such as 2026-11-01T00:00:00+02:00; if left out: since the beginning of last month', instant)
    .action((named: string, { from }: ReadOptions) =>
      withCore(context, async ({ pool, connections }) => (await fetchActions()).readStore(context, { pool, connections }, { named, since: from })),
    );
}

const reconcileActions = () => import('../actions/reconcile.ts');

/** `orderbridge reconcile` */
export function reconcileCommand(context: CliContext): Command {
  return new Command('reconcile')
    .description(
      'Holds what stands at the store, in the ledger, at the compliance service and in the month’s file against each other: by order, and to the cent. ' +
        'What is unknown or older here is read from the store and recorded; a record that the service has of a sale, and that the ledger lost, is taken as its own. ' +
        'Orders that a person must decide about are listed with their code. Unpaid orders, and those that are rightly left out, count nowhere.\n\n' +
        'Exit code 0: no difference is left; 1: some are; 2: a store, or a service that lists its records, could not be read.',
    )
    .argument('[connection]', 'the connection: its name, or the beginning of its id; all of them if left out')
    .option('--from <instant>', 'orders sold from then on, such as 2026-11-01T00:00:00+02:00; if left out: since the beginning of last month', instant)
    .option('--to <instant>', 'orders sold before then; if left out: until now', instant)
    .option('--month <month>', 'the orders of this month’s file, such as 2026-10, and the file', month)
    .option('--dry-run', 'only compare')
    .option(
      '--timeout <seconds>',
      'how long to wait for what is healed, and with each request for a store that is busy or paused; for each connection',
      seconds,
      60,
    )
    .option('--json', 'print JSON: an array of {connection, from, to, currency, store, ledger, service, file, differences, healed, unchecked}')
    .action((connection: string | undefined, options: ReconcileOptions) =>
      withCore(context, async (core) => (await reconcileActions()).run(context, core, { ...options, connection })),
    );
}
