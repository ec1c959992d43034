import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPages } from '../../src/console/open-pages.ts';
import { pages } from '../../src/console/pages.ts';

const root = join(import.meta.dirname, '../..');
const doc = readFileSync(join(root, 'docs/console.md'), 'utf8');
const shown = [...doc.matchAll(/src="console\/([\w-]+)\.png"/g)].map(([, name = '']) => name);

/** What else than its own page an address shows, and what is shown where no page can be. */
const ANSWERS = ['store-settings-preview', 'store-secret-taken', 'not-there', 'failed', 'database-away'];

/** The picture of each address that a person opens; null: it is a file, or looks as another one does. */
const pictureOf: Readonly<Record<string, string | null>> = {
  '/': 'today',
  '/orders': 'orders',
  '/orders.csv': null,
  '/orders/:id': 'order',
  // An order that is recorded twice needs a service that answers too late; it looks as the record does.
  '/orders/:id/records': null,
  '/records/:id': 'record',
  '/parked': 'needs-a-person',
  '/parked/webhooks': 'webhooks',
  '/parked/webhooks/:id': 'webhook',
  '/parked/hosts': 'hosts',
  '/parked/:group': 'desk',
  '/runs/:id': 'run',
  '/months': 'months',
  '/months/:shop/:month': 'month',
  '/months/:shop/:month/files/:file': null,
  '/months/:shop/:month/differences': 'month-differences',
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
  '/destinations/rates': 'exchange-rates',
  '/activity': 'activity',
  '/activity.csv': null,
  '/live': 'live',
  '/account': 'account',
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
  expect(wanted.filter((name) => !shown.includes(name))).toEqual([]);
});

test('the pictures that docs/console.md shows are those that are there', () => {
  const there = readdirSync(join(root, 'docs/console')).map((name) => name.replace(/\.png$/, ''));

  expect(there.toSorted()).toEqual(shown.toSorted());
});
