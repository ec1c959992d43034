import type { Command } from 'commander';
import type { CliContext } from '../platform/terminal/context.ts';

/** Makes a command whose actions run in this context. */
export type MakeCommand = (context: CliContext) => Command;

type Entry = { summary: string; load(): Promise<MakeCommand> };

/** The commands of each group of the help. Only the requested one is loaded, so that small ones start at once. */
export const groups: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Every day': {
    status: { summary: 'say whether all is well, why not, and what to type', load: async () => (await import('./commands/status.ts')).statusCommand },
    review: { summary: 'list everything that waits for a person, and what to do', load: async () => (await import('./commands/review.ts')).reviewCommand },
    proposals: {
      summary: 'list the answers that accountants proposed, and take or decline one',
      load: async () => (await import('./commands/proposals.ts')).proposalsCommand,
    },
    activity: { summary: 'list what was done, by whom, and why', load: async () => (await import('./commands/activity.ts')).activityCommand },
    tail: { summary: 'print what happens, live', load: async () => (await import('./commands/activity.ts')).tailCommand },
  },
  Stores: {
    invite: { summary: 'let a merchant connect a store by a link', load: async () => (await import('./commands/invitations.ts')).inviteCommand },
    invitations: {
      summary: 'list, renew and revoke the links of merchants',
      load: async () => (await import('./commands/invitations.ts')).invitationsCommand,
    },
    shop: { summary: 'create, update or delete a shop at the compliance service', load: async () => (await import('./commands/shop.ts')).shopCommand },
    connect: { summary: 'connect a store to a shop of the compliance service', load: async () => (await import('./commands/connect.ts')).connectCommand },
    connections: { summary: 'list the connected stores, with warnings', load: async () => (await import('./commands/connections.ts')).connectionsCommand },
    reconnect: {
      summary: 'change keys, address or settings of a live connection',
      load: async () => (await import('./commands/reconnect.ts')).reconnectCommand,
    },
    disconnect: { summary: 'stop taking a store’s webhooks', load: async () => (await import('./commands/connections.ts')).disconnectCommand },
    'start-recording': {
      summary: 'end the trial of a store: its orders are recorded from then on',
      load: async () => (await import('./commands/start-recording.ts')).startRecordingCommand,
    },
    settings: { summary: 'show or change the settings of a connection', load: async () => (await import('./commands/settings.ts')).settingsCommand },
    'rotate-secret': {
      summary: 'change the webhook secret of a connection',
      load: async () => (await import('./commands/rotate-secret.ts')).rotateSecretCommand,
    },
    subscriptions: {
      summary: 'list the webhooks of a store, and repair them',
      load: async () => (await import('./commands/subscriptions.ts')).subscriptionsCommand,
    },
    'send-test': { summary: 'send a test order as the store would', load: async () => (await import('./commands/send-test.ts')).sendTestCommand },
    trigger: { summary: 'send what a test store would send of a topic', load: async () => (await import('./commands/send-test.ts')).triggerCommand },
    deliveries: {
      summary: 'list the last webhooks of a connection, refused ones with the reason',
      load: async () => (await import('./commands/deliveries.ts')).deliveriesCommand,
    },
    read: { summary: 'have a store read again now', load: async () => (await import('./commands/fetch.ts')).readCommand },
    'shopify-app': {
      summary: 'keep the apps by which Shopify stores are connected',
      load: async () => (await import('./commands/shopify-app.ts')).shopifyAppCommand,
    },
  },
  Orders: {
    order: { summary: 'show everything about one order', load: async () => (await import('./commands/orders.ts')).orderCommand },
    orders: { summary: 'list orders', load: async () => (await import('./commands/orders.ts')).ordersCommand },
    release: { summary: 'decide orders in review again', load: async () => (await import('./commands/release.ts')).releaseCommand },
    resolve: {
      summary: 'say what became of an order in review: recorded by hand, no sale, recorded elsewhere',
      load: async () => (await import('./commands/resolve.ts')).resolveCommand,
    },
    reevaluate: {
      summary: 're-evaluate a recorded order by today’s settings: a delete and a create',
      load: async () => (await import('./commands/resolve.ts')).reevaluateCommand,
    },
    confirm: { summary: 'say whether a create whose reply was lost is recorded', load: async () => (await import('./commands/resolve.ts')).confirmCommand },
    'delete-record': {
      summary: 'delete one of the records of an order that is recorded twice',
      load: async () => (await import('./commands/resolve.ts')).deleteRecordCommand,
    },
    delivery: {
      summary: 'show a kept webhook, or say that it needs nothing',
      load: async () => (await import('./commands/deliveries.ts')).deliveryCommand,
    },
    replay: { summary: 'read a kept webhook again', load: async () => (await import('./commands/deliveries.ts')).replayCommand },
    fetch: { summary: 'ask a store for one order that no webhook announced', load: async () => (await import('./commands/fetch.ts')).fetchCommand },
    backfill: { summary: 'import orders from before a store was connected', load: async () => (await import('./commands/backfill.ts')).backfillCommand },
    exports: { summary: 'show what customers asked to see (privacy requests)', load: async () => (await import('./commands/exports.ts')).exportsCommand },
  },
  Months: {
    reconcile: {
      summary: 'compare store, ledger, compliance service and month’s file, and repair',
      load: async () => (await import('./commands/reconcile.ts')).reconcileCommand,
    },
    service: {
      summary: 'manage our own compliance service: months and their files, numbers, receipts, rates, keys',
      load: async () => (await import('./commands/service/service-command.ts')).serviceCommand,
    },
  },
  Server: {
    start: { summary: 'run orderbridge until it is stopped', load: async () => (await import('./commands/start.ts')).startCommand },
    demo: { summary: 'show the whole way on this machine, with demo stores', load: async () => (await import('./commands/demo.ts')).demoCommand },
    doctor: {
      summary: 'check configuration, database, queue, compliance API, mail and clock',
      load: async () => (await import('./commands/doctor.ts')).doctorCommand,
    },
    migrate: {
      summary: 'make the tables, or bring them up to date, as the database’s owner',
      load: async () => (await import('./commands/migrate.ts')).migrateCommand,
    },
    resume: {
      summary: 'record again after the database was restored, copied or promoted',
      load: async () => (await import('./commands/resume.ts')).resumeCommand,
    },
    drain: { summary: 'wait until nothing is left to do', load: async () => (await import('./commands/drain.ts')).drainCommand },
    destinations: {
      summary: 'list the compliance services, probe one, and end its pauses',
      load: async () => (await import('./commands/destinations.ts')).destinationsCommand,
    },
    queues: { summary: 'list the queues, and resume a paused one', load: async () => (await import('./commands/destinations.ts')).queuesCommand },
    jobs: { summary: 'list background jobs, retry and drop them', load: async () => (await import('./commands/jobs.ts')).jobsCommand },
    alerts: { summary: 'test the channels of alerts, and list what they reported', load: async () => (await import('./commands/alerts.ts')).alertsCommand },
    events: { summary: 'send events about orders and months to other programs', load: async () => (await import('./commands/events.ts')).eventsCommand },
    keys: { summary: 'show and rotate the encryption keys', load: async () => (await import('./commands/keys.ts')).keysCommand },
    people: { summary: 'say who may sign in to the console', load: async () => (await import('./commands/people.ts')).peopleCommand },
    completion: {
      summary: 'print a script that completes commands in your shell',
      load: async () => (await import('./commands/completion.ts')).completionCommand,
    },
  },
};

/** Every command, in the order of the help. */
export const commands: Readonly<Record<string, Entry>> = Object.assign({}, ...Object.values(groups));
