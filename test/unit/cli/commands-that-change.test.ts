import { PassThrough } from 'node:stream';
import type { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { bridgeActs } from '../../../src/bridge/ledger/bridge-acts.ts';
import { commands } from '../../../src/cli/commands.ts';
import { createProgram } from '../../../src/cli/run-cli.ts';
import { serviceActs } from '../../../src/service/audit-log/service-acts.ts';

/** What each command that changes something writes to the audit log. A new command is listed here, or among those that only read. */
const CHANGING: Record<string, readonly string[]> = {
  'shop create': ['shop.create', 'shop.answered'],
  'shop update': ['shop.update', 'shop.answered'],
  'shop delete': ['shop.delete', 'shop.answered'],
  invite: ['invitation.made'],
  'invitations link': ['invitation.renewed'],
  'invitations revoke': ['invitation.revoked', 'link.ended'],
  'invitations shop': ['invitation.shop'],
  'invitations company': ['company.confirmed', 'company.refused'],
  connect: ['store.connected'],
  reconnect: ['store.changed', 'host.judged'],
  'start-recording': ['store.started'],
  disconnect: ['store.disconnected'],
  settings: ['settings.changed'],
  'rotate-secret': ['secret.rotated'],
  subscriptions: ['webhooks.repaired'],
  'shopify-app add': ['app.added'],
  'shopify-app rotate-secret': ['app.secret-rotated'],
  'shopify-app remove': ['app.removed'],
  release: ['order.released', 'order.split-or-merged', 'record.removed'],
  resolve: ['order.resolved'],
  resume: ['recording.resumed', 'numbers.advanced'],
  reevaluate: ['order.reevaluated'],
  'proposals accept': ['settings.changed', 'answer.accepted', 'order.released'],
  'proposals decline': ['answer.declined'],
  fetch: ['store.queried'],
  order: ['buyer.seen'],
  exports: ['buyer.seen'],
  'service orders list': ['buyer.seen'],
  'service orders show': ['buyer.seen'],
  confirm: ['order.confirmed'],
  'delete-record': ['record.deleted', 'order.released'],
  read: ['store.read-wanted'],
  'send-test': ['store.tested'],
  trigger: ['store.tested'],
  tail: ['buyer.seen'],
  'delivery dismiss': ['delivery.dismissed'],
  replay: ['delivery.replayed'],
  reconcile: ['store.reconciled', 'order.adopted', 'order.taken-back'],
  backfill: ['store.backfilled', 'store.changed'],
  'destinations probe': ['destination.probed'],
  'destinations resume': ['destination.resumed'],
  queues: ['queue.resumed'],
  'jobs retry': ['job.retried'],
  'jobs drop': ['job.dropped'],
  'events list': ['buyer.seen'],
  'events add': ['endpoint.added'],
  'events rotate-secret': ['endpoint.secret-rotated'],
  'events enable': ['endpoint.enabled'],
  'events remove': ['endpoint.removed'],
  'events replay': ['event.replayed'],
  'keys rotate': ['keys.rotated', 'keys.replaced'],
  'people add': ['person.added'],
  'people reset': ['person.reset'],
  'people reset-factor': ['person.factor-reset'],
  'people disable': ['person.disabled'],
  'people enable': ['person.enabled'],
  'service orders create': ['order.created'],
  'service orders delete': ['order.deleted'],
  'service keys create': ['key.created'],
  'service keys add': ['key.created'],
  'service keys rotate': ['key.rotated', 'key.created'],
  'service keys grant': ['company.granted'],
  'service keys revoke': ['key.revoked'],
  'service numbers advance': ['numbers.advanced'],
  'service numbers take-back': ['numbers.taken-back'],
  'service receipts issue': ['receipt.issued'],
  'service rates import': ['rates.imported'],
  'service rates fetch': ['rates.imported'],
  'service audit generate': ['month.generated', 'month.mailed'],
  'service audit mark-filed': ['month.filed'],
  'service audit mark-rejected': ['month.rejected'],
  'service audit mark-checked': ['month.checked'],
  'service audit mark-accepted': ['month.accepted'],
  'service audit mail': ['month.mailed'],
  'service audit nothing-to-file': ['month.nothing'],
  'service mails retry': ['mail.retried'],
};

/** `drain` does the work of a server, `demo` has a database of its own, and what `send-test` and `alerts test` send changes nothing here by itself. */
const READING = [
  ...[
    'start',
    'demo',
    'drain',
    'completion',
    'status',
    'alerts list',
    'alerts test',
    'delivery show',
    'connections',
    'destinations list',
    'jobs list',
    'keys show',
    'orders',
    'proposals list',
    'deliveries',
    'review',
    'activity',
    'people list',
    'invitations list',
    'shopify-app list',
    'shopify-app print',
    'doctor',
    'migrate',
  ],
  ...['service keys list', 'service numbers show', 'service shops list', 'service shops show', 'service receipts list'],
  ...['service receipts show', 'service rates list', 'service audit list', 'service audit show', 'service audit diff', 'service audit verify'],
  'service mails list',
];

async function everyCommand(): Promise<string[]> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const context = { args: [], env: {}, cwd: '.', stdin: new PassThrough(), stdout, stderr, signal: new AbortController().signal };
  const program = await createProgram(context, Object.keys(commands));
  return program.commands.flatMap((command) => leaves(command, ''));
}

function leaves(command: Command, path: string): string[] {
  const name = `${path}${command.name()}`;
  return command.commands.length === 0 ? [name] : command.commands.flatMap((sub) => leaves(sub, `${name} `));
}

test('every command is known to change something, or to read', async () => {
  expect((await everyCommand()).sort()).toEqual([...Object.keys(CHANGING), ...READING].sort());
});

describe('an act', () => {
  const known = { ...bridgeActs, ...serviceActs };

  test.each(Object.entries(CHANGING))('of %s is in a table of acts', (_command, acts) => {
    expect(acts.filter((act) => !Object.hasOwn(known, act))).toEqual([]);
  });

  test('has words of its own', () => {
    expect(new Set(Object.values(known)).size).toBe(Object.keys(known).length);
  });
});
