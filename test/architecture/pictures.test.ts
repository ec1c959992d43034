import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pages as merchantPages } from '../../src/connect/connect-router.ts';
import { openPages, pages } from '../../src/console/pages.ts';

const root = join(import.meta.dirname, '../..');

/** What docs/`name`.md shows of its folder. */
function shownIn(name: string): string[] {
  const doc = readFileSync(join(root, `docs/${name}.md`), 'utf8');
  return [...doc.matchAll(new RegExp(`src="${name}/([\\w-]+)\\.png"`, 'g'))].map(([, picture = '']) => picture);
}

/** What else than its own page an address shows, and what is shown where no page can be. */
const ANSWERS = ['store-settings-preview', 'store-secret-taken', 'not-there', 'failed', 'database-away'];

/** The picture of each address that a person opens; null: it is a file, or looks as another one does. */
const pictureOf: Readonly<Record<string, string | null>> = {
  '/': 'today',
  '/orders': 'orders',
  // Tables as those of orders and webhooks.
  '/find': null,
  '/orders.csv': null,
  '/orders/:id': 'order',
  // An order that is recorded twice needs a service that answers too late; it looks as the record does.
  '/orders/:id/records': null,
  '/records/:id': 'record',
  '/review': 'needs-a-person',
  '/review/webhooks': 'webhooks',
  '/review/hosts': 'hosts',
  '/review/:group': 'issue',
  '/bulk-actions/:id': 'bulk-action',
  '/months': 'months',
  '/months/:shop/:month': 'month',
  '/months/:shop/:month/files/:file': null,
  // A list with filters, as that of orders; a file.
  '/months/due': null,
  '/months/files': null,
  '/months/:shop/:month/differences': 'month-differences',
  // As the list on the page of a store.
  '/webhooks': null,
  '/webhooks/:id': 'webhook',
  // A table of what changes, and a button.
  '/webhooks/:id/replay': null,
  '/stores': 'stores',
  '/stores/invitations': 'invitations',
  '/stores/:id': 'store',
  '/stores/:id/settings': 'store-settings',
  '/stores/:id/secret': 'store-secret',
  '/stores/:id/keys': 'store-keys',
  '/stores/:id/start': null,
  '/stores/:id/disconnect': 'store-disconnect',
  '/stores/:id/compare': 'store-compare',
  '/stores/:id/backfill': 'store-backfill',
  '/stores/:id/test': 'store-test',
  '/stores/:id/tasks/:task': 'store-task',
  '/destinations': 'compliance-service',
  // Two tables, as those of the queues.
  '/destinations/jobs': null,
  // Tables and forms as those of destinations, jobs and webhooks.
  '/destinations/events': null,
  '/destinations/events/:id': null,
  '/destinations/events/:id/:event': null,
  '/destinations/rates': 'exchange-rates',
  '/activity': 'activity',
  '/activity.csv': null,
  '/live': 'live',
  '/account': 'account',
  // Its QR code would be another each time.
  '/account/factor': null,
  '/second-step': null,
  '/people': 'people',
  '/people/:id': 'person',
  '/sign-in': 'sign-in',
  '/oidc': null,
  '/oidc/callback': null,
  '/setup': 'setup',
  '/choose-password': 'choose-password',
  '/enter': 'enter',
};

test('every page of the console has its pictures, on a desktop and a phone, in docs/console.md', () => {
  const paths = [...pages.filter(({ get }) => get !== undefined), ...openPages].map(({ path }) => path);

  expect(paths.filter((path) => !(path in pictureOf))).toEqual([]);
  const wanted = [...Object.values(pictureOf), ...ANSWERS].flatMap((name) => (name === null ? [] : [`${name}-desktop`, `${name}-phone`]));
  const shown = shownIn('console');
  expect(wanted.filter((name) => !shown.includes(name))).toEqual([]);
});

/** The picture of each page of a merchant; null: it leads elsewhere, looks as another one does, or asks one question. */
const merchantPictureOf: Readonly<Record<string, string | null>> = {
  '/store': 'store',
  '/store/found': 'store-found',
  '/store/go': null,
  '/store/back': null,
  '/store/keys': 'store-keys',
  '/company': 'company',
  '/webhooks': 'webhooks',
  '/mapping': 'mapping',
  '/trial': 'trial',
  '/status': 'status',
  // One table.
  '/status/orders': null,
  '/status/files/:month/:kind': null,
  '/status/code': null,
  '/status/mailbox': null,
  '/status/disconnect': 'status-disconnect',
  '/status/unlink': null,
  '/confirm': null,
};

test('every page of a merchant has its picture in docs/connect.md', () => {
  const paths = merchantPages.filter(({ get }) => get !== undefined).map(({ path }) => path);

  expect(Object.keys(merchantPictureOf).toSorted()).toEqual(paths.toSorted());
  const wanted = Object.values(merchantPictureOf).flatMap((name) => (name === null ? [] : `${name}-desktop`));
  expect(wanted.filter((name) => !shownIn('connect').includes(name))).toEqual([]);
});

test.each(['console', 'connect', 'opencart'])('the pictures that docs/%s.md shows are those that are there', (name) => {
  const there = readdirSync(join(root, 'docs', name)).map((file) => file.replace(/\.png$/, ''));

  expect(there.toSorted()).toEqual(shownIn(name).toSorted());
});
