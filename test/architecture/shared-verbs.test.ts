import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(repository, path), 'utf8');

/** Where a verb is: a file below `src/console/pages` and one below `src/cli`; or why there is none. */
type Verb = { page: string | { none: string }; command: string | { none: string } };

const CONNECTING = { none: 'stores are connected by command, or by their merchant: see src/connect' };
const MERCHANTS = { none: 'a merchant’s own page: see src/connect' };
const OF_APPS = {
  none: 'apps are kept, as keys of the service are, by command alone: their secrets come from the platform to the person who runs the machine',
};
const OF_SERVICE = { none: 'administration of our own compliance service, by command alone: it is no act on an order, store, month or destination' };
const OWN = { none: 'of anyone who is signed in: the command line signs nobody in' };
const ISSUE = { none: '`settings --set` and `release --code`, which let one order go first, too' };

/** Every operation that changes something or shows a buyer: who reads its file finds `by`, of whom the audit log says that they did it. */
const verbs: Readonly<Record<string, Verb>> = {
  seeBuyer: { page: 'order/records-pages', command: { none: '`order --json`: see showOrderWithBuyer' } },
  findByBuyer: { page: 'find/find-page', command: { none: 'who runs the machine needs no search by address: see showOrderWithBuyer' } },
  showOrderWithBuyer: { page: { none: 'a press shows the buyer: see seeBuyer' }, command: 'commands/orders' },
  seeExports: { page: { none: 'what customers asked to see is handed over by who runs the machine' }, command: 'commands/exports' },
  seeBuyersOf: { page: { none: 'the order in the ledger is the page: see seeBuyer' }, command: 'commands/service/orders' },
  deliveryBody: { page: 'webhooks/webhook-page', command: 'commands/deliveries' },
  forwardDelivery: { page: { none: 'a program that is being made gets it: see `tail`' }, command: 'commands/activity' },
  dismissDelivery: { page: 'webhooks/webhook-page', command: 'commands/deliveries' },
  replayDelivery: { page: 'webhooks/replay-page', command: 'commands/deliveries' },
  replayPreview: { page: 'webhooks/replay-page', command: { none: 'nothing is done: see replayDelivery' } },
  releaseOrder: { page: 'order/order-page', command: 'commands/release' },
  resolveOrder: { page: 'order/order-page', command: 'commands/resolve' },
  decideRemoval: { page: 'order/order-page', command: 'commands/release' },
  splitOrder: { page: 'order/order-page', command: 'commands/release' },
  mergeOrder: { page: 'order/order-page', command: 'commands/release' },
  confirmOrder: { page: 'order/order-page', command: 'commands/resolve' },
  reevaluateOrder: { page: 'order/order-page', command: 'commands/resolve' },
  decideMany: { page: { none: 'behind the answer: see beginMany' }, command: 'commands/resolve' },
  beginMany: { page: 'orders/orders-page', command: { none: 'a command waits: see decideMany' } },
  releaseCode: { page: { none: 'the issue: see checkOne and releaseRest' }, command: 'commands/release' },
  askForOrder: { page: 'orders/orders-page', command: 'commands/fetch' },
  checkOne: { page: 'review/issue-page', command: ISSUE },
  releaseRest: { page: 'review/issue-page', command: ISSUE },
  decideOne: { page: 'review/issue-page', command: { none: 'the same as of one order: see splitOrder, mergeOrder and decideRemoval' } },
  monthArchive: { page: 'months/due-list', command: { none: '`service audit show`, a month at a time' } },
  assign: { page: 'review/assign-pages', command: { none: 'people who share the work do so in the console' } },
  proposeAnswer: { page: 'review/proposal-pages', command: { none: 'anyone who has the command line may set it: `settings --set`' } },
  acceptProposal: { page: 'review/proposal-pages', command: 'commands/proposals' },
  declineProposal: { page: 'review/proposal-pages', command: 'commands/proposals' },
  changeSettings: { page: 'store/settings', command: 'commands/settings' },
  changeAccess: { page: 'store/keys-pages', command: { none: '`reconnect`: see reconnectStore' } },
  reconnectStore: { page: { none: 'keys, secret, hosts and settings have pages of their own: see changeAccess' }, command: 'commands/reconnect' },
  connectStore: { page: CONNECTING, command: 'commands/connect' },
  rotateSecret: { page: 'store/keys-pages', command: 'commands/rotate-secret' },
  addApp: { page: OF_APPS, command: 'commands/shopify-app' },
  rotateAppSecret: { page: OF_APPS, command: 'commands/shopify-app' },
  removeApp: { page: OF_APPS, command: 'commands/shopify-app' },
  startRecording: { page: 'store/start-page', command: 'commands/start-recording' },
  startStore: { page: MERCHANTS, command: { none: 'the end of a merchant’s way: see startRecording' } },
  disconnectStore: { page: 'store/disconnect-page', command: 'commands/connections' },
  movedStore: { page: 'review/webhooks-pages', command: 'commands/reconnect' },
  notOurStore: { page: 'review/webhooks-pages', command: 'commands/reconnect' },
  showSubscriptions: { page: 'store/store-page', command: 'commands/subscriptions' },
  inviteMerchant: { page: 'invitations', command: 'commands/invitations' },
  renewInvitation: { page: 'invitations', command: 'commands/invitations' },
  revokeInvitation: { page: 'invitations', command: 'commands/invitations' },
  decideCompany: { page: 'invitations', command: 'commands/invitations' },
  endLinksOf: { page: 'invitations', command: 'commands/invitations' },
  nameMadeShop: { page: { none: 'seldom, and only where the compliance service honours no key: by command' }, command: 'commands/invitations' },
  findStore: { page: MERCHANTS, command: { none: '`connect`: see connectStore' } },
  chooseOwnShop: { page: MERCHANTS, command: { none: '`connect`: see connectStore' } },
  takeKeys: { page: MERCHANTS, command: { none: '`connect` and `reconnect`: see connectStore and reconnectStore' } },
  finishHandOver: { page: MERCHANTS, command: { none: 'a store hands keys over to a browser alone' } },
  attachStore: { page: MERCHANTS, command: { none: '`connect --trial`: see connectStore' } },
  makeWebhooks: { page: MERCHANTS, command: { none: '`subscriptions --repair`: see showSubscriptions' } },
  resaveOrder: { page: MERCHANTS, command: { none: 'a person saves an order in the store itself' } },
  freshSecret: { page: MERCHANTS, command: { none: '`rotate-secret`: see rotateSecret' } },
  makeShop: { page: MERCHANTS, command: { none: '`shop create`: see createShop' } },
  probeDestination: { page: 'destinations/destination', command: 'commands/destinations' },
  resumeDestination: { page: 'destinations/destination', command: 'commands/destinations' },
  resumeQueue: { page: 'destinations/destination', command: 'commands/destinations' },
  addEndpoint: { page: 'destinations/events-pages', command: 'commands/events' },
  rotateEndpoint: { page: 'destinations/events-pages', command: 'commands/events' },
  enableEndpoint: { page: 'destinations/events-pages', command: 'commands/events' },
  removeEndpoint: { page: 'destinations/events-pages', command: 'commands/events' },
  replayEvent: { page: 'destinations/events-pages', command: 'commands/events' },
  makeMonth: { page: { none: 'the page asks the service by itself: see the test of months below' }, command: 'commands/service/audit-generate' },
  mailMonth: { page: { none: 'the page asks the service by itself: see the test of months below' }, command: 'commands/service/audit-generate' },
  planBackfill: { page: { none: 'behind the answer: see beginPlan' }, command: 'commands/backfill' },
  runBackfill: { page: { none: 'behind the answer: see beginBackfill' }, command: 'commands/backfill' },
  beginPlan: { page: 'store/tasks/backfill-page', command: { none: 'a command waits: see planBackfill' } },
  beginBackfill: { page: 'store/tasks/task-page', command: { none: 'a command waits: see runBackfill' } },
  reconcile: { page: { none: 'behind the answer: see beginReconcile' }, command: 'commands/reconcile' },
  beginReconcile: { page: 'store/tasks/compare-page', command: { none: 'a command waits: see reconcile' } },
  readNow: { page: 'store/tasks/tasks-part', command: 'commands/fetch' },
  sendTest: { page: { none: 'behind the answer: see beginTest' }, command: 'commands/send-test' },
  beginTest: { page: 'store/tasks/test-page', command: { none: 'a command waits: see sendTest' } },
  deleteDoubled: { page: 'order/records-pages', command: 'commands/resolve' },
  createShop: { page: CONNECTING, command: 'commands/shop' },
  updateShop: { page: CONNECTING, command: 'commands/shop' },
  deleteShop: { page: CONNECTING, command: 'commands/shop' },
  importSheets: { page: 'rates', command: 'commands/service/rates' },
  fetchNewestSheet: { page: 'rates', command: 'commands/service/rates' },
  deleteByHand: { page: 'records', command: 'commands/service/orders' },
  resumeRecording: { page: { none: 'who restored the database is at its machine' }, command: 'commands/resume' },
  addPerson: { page: 'people/people-pages', command: 'commands/people' },
  changePerson: { page: 'people/people-pages', command: { none: 'a role is changed by an owner in the console' } },
  resetPassword: { page: 'people/people-pages', command: 'commands/people' },
  resetFactor: { page: 'people/people-pages', command: 'commands/people' },
  setDisabled: { page: 'people/people-pages', command: 'commands/people' },
  endSessionsOf: { page: 'people/people-pages', command: { none: '`people disable` ends them' } },
  changeOwn: { page: 'account', command: OWN },
  changePassword: { page: 'account', command: OWN },
  ...Object.fromEntries(
    Object.entries({
      retryFailedMail: 'mails',
      addKey: 'keys',
      rotateKey: 'keys',
      revokeKey: 'keys',
      grantCompany: 'keys',
      createByHand: 'orders',
      advanceTo: 'numbers',
      takeBack: 'numbers',
      issueReceiptOf: 'receipts',
    }).map(([name, file]) => [name, { page: OF_SERVICE, command: `commands/service/${file}` }]),
  ),
};

/** Parts of others, which have no verb of their own. */
const parts = [
  'taskRun',
  'saveSettings',
  'decideAgain',
  'releaseOneFirst',
  'releaseAll',
  'tryOne',
  'takeQuarantined',
  'rotated',
  'recallConnection',
  'noteConnection',
  'announceGranted',
  'askForCompany',
  'contestCompany',
  'seeEvent',
  'seeAnswers',
];

const BY = /\b(by: Actor|by: string|: Authorship\b|& Authorship\b|said\?: Authorship)/;

/** Exported functions of operations whose own text, or the types of their file, say who does it. */
function doers(): string[] {
  return globSync('src/operations/**/*.ts', { cwd: repository }).flatMap((path) => {
    const text = read(path);
    if (!BY.test(text)) return [];
    return [...text.matchAll(/^export (?:async )?function (\w+)/gm)].flatMap(([, name = '']) => (isDoer(text, name) ? [name] : []));
  });
}

/** Types of the file that name a person who does it. */
function isDoer(text: string, name: string): boolean {
  const [, signature = ''] = new RegExp(`^export (?:async )?function ${name}\\(([\\s\\S]*?)\\): `, 'm').exec(text) ?? [];
  if (BY.test(signature)) return true;
  const named = [...text.matchAll(/^(?:export )?type (\w+)[^=]*=([\s\S]*?;\n)(?=\n|\/|export|type|const|async|function)/gm)];
  return named.some(([, type = '', body = '']) => BY.test(body) && new RegExp(`\\b${type}\\b`).test(signature));
}

describe('what is done in the console is done by the command line with the same function, and the other way round', () => {
  test('each operation that somebody does is listed here, and each that is listed is there', () => {
    const found = doers().filter((name) => !parts.includes(name));

    expect({ missing: found.filter((name) => !(name in verbs)), gone: Object.keys(verbs).filter((name) => !isExported(name)) }).toEqual({
      missing: [],
      gone: [],
    });
  });

  const places = Object.entries(verbs).flatMap(([name, { page, command }]) => [
    ...(typeof page === 'string' ? [{ name, path: `src/console/pages/${page}.ts` }] : []),
    ...(typeof command === 'string' ? [{ name, path: `src/cli/${command}.ts` }] : []),
  ]);

  test.each(places)('$name is called by $path', ({ name, path }) => {
    expect(read(path)).toMatch(new RegExp(`\\b${name}\\(|\\b${name}\\)|\\? ${name}\\b|: ${name}\\b`));
  });

  test('months: the page and the commands ask the same port of the service', () => {
    const page = read('src/console/pages/months/month-acts.ts');
    const commands = globSync('src/{cli/commands/service/audit-*,operations/months/*}.ts', { cwd: repository }).map(read).join('\n');
    const asked = [...page.matchAll(/service\.months\.(\w+)\(/g)].map(([, name = '']) => name);

    // A command waits for what the page's press starts.
    const isAsked = (name: string) => (name === 'generate' ? /generateMonth\(/ : new RegExp(`months(\\.|\\[)${name}|\\b${name}:|'${name}'`)).test(commands);

    expect(asked.length).toBeGreaterThan(5);
    expect(asked.filter((name) => !isAsked(name))).toEqual([]);
  });
});

let exported: ReadonlySet<string> | undefined;

function isExported(name: string): boolean {
  exported ??= new Set(
    globSync('src/operations/**/*.ts', { cwd: repository }).flatMap((path) =>
      [...read(path).matchAll(/^export (?:async )?function (\w+)/gm)].map(([, one = '']) => one),
    ),
  );
  return exported.has(name);
}
