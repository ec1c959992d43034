import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealBody } from '../../../src/bridge/delivery/sealed-delivery.ts';
import { listEvents } from '../../../src/bridge/ledger/events/event-store.ts';
import { insertBulkAction } from '../../../src/bridge/ledger/review/bulk-action-store.ts';
import { endTask, insertTask } from '../../../src/bridge/ledger/sync/task-store.ts';
import { pages } from '../../../src/console/pages.ts';
import type { PersonRole } from '../../../src/contract/person-role.ts';
import { addEndpoint } from '../../../src/operations/events.ts';
import { may } from '../../../src/operations/people/rights.ts';
import { sealerOf } from '../../../src/platform/postgres/postgres.ts';
import { newcomer } from '../../support/connect/at-company.ts';
import { companyTyped } from '../../support/connect/company-typed.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { formOf } from '../../support/console/form-of.ts';
import { issueIn } from '../../support/console/review-world.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { drawn } from '../../support/run-size.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const EVIL = `'"><img src=x onerror=alert(1)>`;
const RAW = '<img src=x';

/** Things of one world that forms are about. */
type Place = {
  order: number;
  store: string;
  webhook: string;
  issue: string;
  proposal: string;
  month: string;
  person: string;
  bulkAction: string;
  task: string;
  record: string;
  endpoint: string;
  event: string;
  invitation: string;
  /** Of merchants who wait for their company. */
  waiting: readonly [string, string];
};

/**
 * What a form sends besides what its page put into it. `from`: the page that has it; absent: no page shows it in this world. stale: it is refused if
 * something changed since the page was made; anew: it does the same whatever was seen.
 */
type Row = { at(place: Place): string; from?(place: Place): string; fields?: Record<string, string>; is: 'stale' | 'anew' };

const order = (verb: string, row: Omit<Row, 'at'>): [string, Row] => [
  `/orders/:id/${verb}`,
  { at: (p) => `/console/orders/${p.order}/${verb}`, from: (p) => `/console/orders/${p.order}`, ...row },
];
const month = (act: string, fields: Record<string, string> = {}): [string, Row] => [
  `/months/:shop/:month/${act}`,
  { at: (p) => `${p.month}/${act}`, from: (p) => p.month, fields, is: 'stale' },
];
const store = (verb: string, row: Omit<Row, 'at'>): [string, Row] => [
  `/stores/:id/${verb}`,
  {
    at: (p) => `/console/stores/${p.store}/${verb}`,
    from: (p) => `/console/stores/${p.store}${['settings', 'secret', 'keys', 'start', 'disconnect', 'test'].includes(verb) ? `/${verb}` : ''}`,
    ...row,
  },
];
const person = (verb: string, fields: Record<string, string> = {}): [string, Row] => [
  `/people/:id${verb}`,
  { at: (p) => `/console/people/${p.person}${verb}`, from: (p) => `/console/people/${p.person}`, fields, is: 'stale' },
];
const invitation = (verb: string): [string, Row] => [
  `/stores/invitations/:id/${verb}`,
  { at: (p) => `${p.invitation}/${verb}`, from: () => '/console/stores/invitations', is: 'stale' },
];
const here = (path: string, row: Omit<Row, 'at'>): [string, Row] => [path, { at: () => `/console${path}`, ...row }];
const FILED = { version: '1', filedOn: '2026-11-10', incomingNumber: EVIL };

/** Every form that changes something, by the address of its page; those that end what others need come last. */
const rows: ReadonlyMap<string, Row> = new Map([
  here('/account', { from: () => '/console/account', fields: { name: EVIL }, is: 'stale' }),
  here('/account/password', { from: () => '/console/account', fields: { old: EVIL, chosen: 'short' }, is: 'anew' }),
  here('/account/factor', { from: () => '/console/account/factor', fields: { code: EVIL }, is: 'anew' }),
  here('/account/factor/codes', { is: 'anew' }),
  here('/account/factor/end', { is: 'anew' }),
  here('/account/factor/passkeys', { fields: { name: EVIL, passkey: EVIL }, is: 'anew' }),
  here('/account/factor/passkeys/remove', { fields: { id: EVIL }, is: 'anew' }),
  here('/account/sessions', { fields: { which: EVIL }, is: 'anew' }),
  here('/language', { fields: { lang: 'en', at: EVIL }, is: 'anew' }),
  here('/find', { fields: { q: EVIL }, is: 'anew' }),
  here('/orders/ask', { fields: { q: EVIL, store: EVIL }, is: 'anew' }),
  order('buyer', { is: 'anew' }),
  order('look', { is: 'stale' }),
  order('confirm', { fields: { found: 'yes', recorded: EVIL, note: EVIL }, is: 'stale' }),
  order('apart', { fields: { how: 'same' }, is: 'stale' }),
  order('removal', { fields: { how: 'kept', note: EVIL }, is: 'stale' }),
  here('/destinations/probe', { from: () => '/console/destinations', fields: { destination: EVIL }, is: 'anew' }),
  here('/destinations/resume', { fields: { destination: EVIL }, is: 'stale' }),
  here('/destinations/queues', { fields: { queue: EVIL }, is: 'anew' }),
  here('/destinations/jobs', { fields: { kind: EVIL, key: EVIL, why: EVIL }, is: 'anew' }),
  here('/destinations/events', { from: () => '/console/destinations/events', fields: { url: EVIL, store: EVIL, company: EVIL }, is: 'anew' }),
  ['/destinations/events/:id', { at: (p) => p.endpoint, from: (p) => p.endpoint, fields: { verb: EVIL }, is: 'anew' }],
  ['/destinations/events/:id/:event', { at: (p) => p.event, from: (p) => p.event, is: 'anew' }],
  here('/destinations/rates', { from: () => '/console/destinations/rates', is: 'stale' }),
  here('/destinations/rates/import', { fields: { replace: EVIL, complete: EVIL }, is: 'anew' }),
  store('read', { is: 'anew' }),
  store('compare', { fields: { by: 'days', from: EVIL, to: EVIL, month: EVIL }, is: 'anew' }),
  store('backfill', { fields: { from: EVIL, to: EVIL }, is: 'anew' }),
  ['/stores/:id/tasks/:task', { at: (p) => p.task, from: (p) => p.task, is: 'stale' }],
  store('test', { is: 'stale' }),
  order('records', { fields: { record: EVIL, note: EVIL }, is: 'stale' }),
  ['/records/:id', { at: (p) => p.record, from: (p) => p.record, fields: { why: EVIL }, is: 'stale' }],
  store('webhooks', { fields: { what: 'check' }, is: 'anew' }),
  store('settings', { fields: { step: 'preview', gateway: EVIL, type: 'OTHER', processor: EVIL, why: EVIL }, is: 'stale' }),
  store('keys', { fields: { url: EVIL, why: EVIL }, is: 'stale' }),
  store('secret', { fields: { how: 'paste', secret: EVIL }, is: 'stale' }),
  store('host', { fields: { host: EVIL, ownership: 'ours' }, is: 'stale' }),
  ...(['make', 'checked', 'mail', 'accepted'] as const).map((act) => month(act)),
  month('filed', FILED),
  month('number', FILED),
  month('rejected', { words: EVIL }),
  month('nothing', { note: EVIL }),
  here('/people', { from: () => '/console/people', fields: { email: 'new@shop.example', name: EVIL, role: 'viewer' }, is: 'anew' }),
  here('/stores/invitations', { from: () => '/console/stores/invitations', fields: { email: 'maria@shop.example', shop: '', lang: 'en' }, is: 'anew' }),
  invitation('link'),
  invitation('end-status'),
  ...(['confirm', 'refuse'] as const).map((verb, nth): [string, Row] => {
    const at = (p: Place) => `${p.waiting[nth]}/${verb}`;
    return [`/stores/invitations/:id/${verb}`, { at, from: () => '/console/stores/invitations', is: 'stale' }];
  }),
  invitation('revoke'),
  person('', { role: 'viewer' }),
  person('/disable'),
  person('/enable'),
  person('/end-sessions'),
  person('/reset-factor'),
  person('/reset'),
  ['/webhooks/:id/replay', { at: (p) => `${p.webhook}/replay`, from: (p) => `${p.webhook}/replay`, fields: { sure: EVIL }, is: 'stale' }],
  ['/webhooks/:id', { at: (p) => p.webhook, from: (p) => p.webhook, fields: { verb: 'dismiss', why: EVIL }, is: 'stale' }],
  here('/review/hosts', { from: () => '/console/review/hosts', fields: { verb: 'not-ours' }, is: 'stale' }),
  ['/review/:group/assign', { at: (p) => `${p.issue}/assign`, from: (p) => p.issue, fields: { person: '', note: EVIL, snooze: EVIL, day: EVIL }, is: 'stale' }],
  order('assign', { fields: { person: '', note: EVIL }, is: 'stale' }),
  ['/review/:group/propose', { at: (p) => `${p.issue}/propose`, fields: { 'value-0': 'PAYMENT_PROCESSOR', 'name-0': EVIL, note: EVIL }, is: 'stale' }],
  ['/proposals/:id', { at: (p) => p.proposal, from: (p) => p.issue, fields: { verb: 'decline', reason: EVIL }, is: 'stale' }],
  ['/review/:group', { at: (p) => p.issue, from: (p) => p.issue, fields: { verb: 'check', 'value-0': 'PAYMENT_PROCESSOR', 'name-0': '' }, is: 'stale' }],
  here('/orders', { fields: { act: 'resolve', how: 'elsewhere', note: EVIL, all: '1', state: 'review', q: EVIL }, is: 'stale' }),
  order('resolve', { fields: { how: 'elsewhere', note: EVIL }, is: 'stale' }),
  order('release', { is: 'stale' }),
  order('again', { fields: { note: EVIL }, is: 'stale' }),
  store('start', { fields: { day: EVIL, counted: EVIL, why: EVIL }, is: 'stale' }),
  store('disconnect', { fields: { name: EVIL, why: EVIL }, is: 'stale' }),
]);

const forms = pages.flatMap(({ path, right, post }) =>
  post === undefined ? [] : [{ path, rights: [right, post.right], asksAgain: post.asksAgain !== undefined }],
);

let it: World;
let place: Place;
let owner: SignedInBrowser;
let others: ReadonlyMap<PersonRole, SignedInBrowser>;
beforeAll(async () => {
  it = await world({ embeddedService: true });
  owner = await signIn(it.bridge, { name: EVIL });
  others = new Map([
    ['viewer', await signIn(it.bridge, { role: 'viewer' })],
    ['accountant', await signIn(it.bridge, { role: 'accountant' })],
    ['operator', await signIn(it.bridge, { role: 'operator' })],
  ]);
  place = await placeIn(it);
});
afterAll(() => it[Symbol.asyncDispose]());

async function placeIn(made: World): Promise<Place> {
  const { bridge } = made;
  const { shopId } = await ownShop(made);
  const connected = await bridge.connect({ name: `Corner ${EVIL}`, shopId });
  // Nobody takes its events.
  const { id: endpoint } = await addEndpoint(bridge.app.core, { url: 'http://127.0.0.1:9/', withBuyers: true, by: 'cli:test' });
  const line = { id: 'a', name: EVIL, quantity: 2, amount: '48.00', vatRate: '20' };
  await bridge.send(connected, 'order.paid', { order: orderOf('1', { number: EVIL, lines: [line], payment: { method: 'borica_pos' } }) });
  const { id: one } = await bridge.settled(connected, '1', 'review');
  await bridge.send(connected, 'order.paid', { order: orderOf('2', { number: EVIL }) });
  const { complianceId } = await bridge.settled(connected, '2', 'recorded');
  const { id } = connected.connection;
  const window = { from: '2026-11-01T00:00:00.000Z', until: '2026-11-02T00:00:00.000Z' };
  const task = (await insertTask(bridge.pool, { connectionId: id, kind: 'plan', who: `person:${owner.person.id}`, about: window })) ?? '';
  const plan = { orders: 1, months: [], recorded: null, goesOn: null, recordFrom: null };
  await endTask(bridge.pool, task, { seen: 1, result: plan, problem: null });
  const webhook = randomUUID();
  const packed = await promisify(zstdCompress)(JSON.stringify({ type: EVIL, data: { [EVIL]: EVIL } }));
  await bridge.pool.query(
    `insert into deliveries (id, connection_id, topic, arrived_at, outcome, code, detail, store, headers, body) values
       ($1, $2, $3, now(), 'review', 'payload.unreadable', $3, null, jsonb_build_object('user-agent', $3::text), $4),
       (gen_random_uuid(), $2, 'order.paid', now(), 'held', 'store.other', null, $3, null, null)`,
    [webhook, id, EVIL, sealBody(sealerOf(bridge.pool), { id: webhook, body: packed })],
  );
  const accountant = await signIn(bridge, { role: 'accountant', name: EVIL });
  const issue = issueIn((await accountant.get('/console/review')).text, 'has no payment type');
  const form = formOf((await accountant.get(issue)).text, `${issue}/propose`);
  await accountant.post(`${issue}/propose`, { ...form, 'value-0': 'VIRTUAL_POS', 'name-0': EVIL, note: EVIL });
  const [, proposal = ''] = /action="(\/console\/proposals\/[\w-]+)"/.exec((await owner.get(issue)).text) ?? [];
  const { person: other } = await signIn(bridge, { role: 'operator', name: EVIL });
  const places = { order: one, store: id, webhook: `/console/webhooks/${webhook}`, issue, proposal, month: `/console/months/${shopId}/2026-11` };
  const about = { words: EVIL, what: 'elsewhere', why: EVIL };
  const bulkAction = await insertBulkAction(bridge.pool, { who: `person:${owner.person.id}`, act: 'order.resolved', about, orders: [one] });
  const { id: invited } = await startedMerchant(bridge, { email: 'ivan@shop.example', connect: { name: `Garden ${EVIL}` } });
  const [event] = await listEvents(bridge.pool, endpoint, 1);
  const begun = {
    endpoint: `/console/destinations/events/${endpoint}`,
    event: `/console/destinations/events/${endpoint}/${event?.id}`,
    task: `/console/stores/${id}/tasks/${task}`,
    record: `/console/records/${complianceId}`,
    invitation: `/console/stores/invitations/${invited}`,
    waiting: [await waitingFor(made, 'confirmed@shop.example'), await waitingFor(made, 'refused@shop.example')] as const,
  };
  return { ...places, ...begun, person: other.id, bulkAction: `/console/bulk-actions/${bulkAction}` };
}

async function waitingFor(made: World, email: string): Promise<string> {
  const merchant = await newcomer(made, email);
  const asked = await merchant.post('/company', companyTyped({ companyName: EVIL }));
  expect(asked).toMatchObject({ status: 303, location: `/connect/${merchant.token}/company` });
  return `/console/stores/invitations/${merchant.id}`;
}

function rowOf(path: string): Row {
  const row = rows.get(path);
  if (row === undefined) throw new Error(`no row says what the form of ${path} sends: add one`);
  return row;
}

/** Of what anybody did, but for looks and sign-ins. */
const acts = async () => (await readBridgeActs(it.bridge.pool)).length;

test('each form has its row, and each row its form', () => {
  expect([...rows.keys()].toSorted()).toEqual(forms.map(({ path }) => path).toSorted());
});

describe('nobody does what is not theirs', () => {
  test.each(drawn(forms, 12))('$path', async ({ path, rights }) => {
    const { at, fields = {} } = rowOf(path);
    const address = at(place);
    const before = await acts();

    for (const [role, browser] of others) {
      if (rights.every((right) => may(role, right))) continue;
      expect([role, (await browser.post(address, fields)).status]).toEqual([role, 403]);
    }
    const stranger = await fetch(`${it.bridge.app.url}${address}`, { method: 'POST', redirect: 'manual', headers: { 'sec-fetch-site': 'same-origin' } });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/console/sign-in']);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}]) {
      expect((await owner.post(address, fields, headers)).status).toBe(403);
    }
    expect(await acts()).toBe(before);
  });
});

describe('who proved long ago who they are proves it again, before people, secrets, keys and disconnecting alone', () => {
  const asking = forms.filter(({ asksAgain }) => asksAgain).map(({ path }) => path);

  test('where', () => {
    expect(asking.toSorted()).toEqual([
      '/account/factor',
      '/account/factor/codes',
      '/account/factor/end',
      '/account/factor/passkeys',
      '/account/factor/passkeys/remove',
      '/account/sessions',
      '/destinations/events',
      '/destinations/events/:id',
      '/people',
      '/people/:id',
      '/people/:id/disable',
      '/people/:id/enable',
      '/people/:id/end-sessions',
      '/people/:id/reset',
      '/people/:id/reset-factor',
      '/stores/:id/disconnect',
      '/stores/:id/keys',
      '/stores/:id/secret',
    ]);
  });

  test.each(asking)('%s', async (path) => {
    const { at, fields = {} } = rowOf(path);
    await it.bridge.pool.query(`update sessions set confirmed_at = now() - interval '11 minutes' where person = $1`, [owner.person.id]);
    const before = await acts();

    const asked = await owner.post(at(place), fields);

    await it.bridge.pool.query('update sessions set confirmed_at = now() where person = $1', [owner.person.id]);
    expect(asked).toMatchObject({ status: 403 });
    expect(asked.text).toContain('Is it you?');
    expect(asked.text).not.toContain(RAW);
    expect(await acts()).toBe(before);
  });
});

/** An address of a page, by those that the forms have. */
function addressOf(path: string): string {
  const filled: readonly (readonly [pattern: string, address: string])[] = [
    ['/months/:shop/:month/files/:file', `${place.month}/files/1.xml`],
    ['/months/:shop/:month', place.month],
    ['/orders/:id', `/console/orders/${place.order}`],
    ['/stores/:id', `/console/stores/${place.store}`],
    ['/bulk-actions/:id', place.bulkAction],
    ...[...rows].map(([pattern, { at }]) => [pattern, at(place)] as const).filter(([pattern]) => pattern === path),
  ];
  const [pattern, address] = filled.findLast(([one]) => path === one) ?? filled.find(([one]) => path.startsWith(`${one}/`)) ?? ['', '/console'];
  return `${address}${path.slice(pattern.length)}`;
}

/** The loud buttons that are in sight before anything is opened. */
function loudIn(page: string): string[] {
  let main = page.slice(page.indexOf('<main'), page.indexOf('</main>'));
  for (let inner = ''; inner !== main; ) [inner, main] = [main, main.replace(/<details(?! open)(?:(?!<details).)*?<\/details>/gs, '')];
  const all = main.match(/<button(?![^>]* hidden)[^>]*>|<a class="verb[^>]*>/g) ?? [];
  return all.filter((one) => !/class="[^"]*\b(?:second|plain|danger)\b/.test(one));
}

describe('everybody sees the pages of their role, and no other; a page has one loud button and one field to search by at most', () => {
  test.each(pages.filter(({ get }) => get !== undefined))('$path', async ({ path, right }) => {
    const address = addressOf(path);
    expect(address).not.toContain(':');

    for (const [role, browser] of [...others, ['owner', owner] as const]) {
      const { status, text } = await browser.get(address);
      expect([role, address, status === 403]).toEqual([role, address, !may(role, right)]);
      if (role !== 'owner' || path.endsWith('.csv')) continue;
      expect(loudIn(text).slice(1)).toEqual([]);
      expect((text.match(/type="search"/g) ?? []).slice(1)).toEqual([]);
    }
    const stranger = await fetch(`${it.bridge.app.url}${address}`, { redirect: 'manual' });
    expect([stranger.status, stranger.headers.get('location')]).toEqual([303, `/console/sign-in?to=${encodeURIComponent(address)}`]);
  });
});

describe('a form that was made from something else does nothing, and says what is there now', () => {
  test.each(
    drawn(
      forms.filter(({ path }) => rows.get(path)?.is === 'stale'),
      14,
    ),
  )('$path', async ({ path }) => {
    const { at, fields = {} } = rowOf(path);
    const before = await acts();

    const page = await owner.post(at(place), { ...fields, seen: 'something-else' });

    // What is not there any more, or was never, is missing instead.
    expect([409, ...(path === '/destinations/resume' || path === '/stores/:id/host' ? [404] : [])]).toContain(page.status);
    expect(page.text).not.toContain(RAW);
    expect(await acts()).toBe(before);
  });
});

// In the order of the rows.
describe('markup in every field stays text, and breaks nothing; what was pressed twice is done once', () => {
  test.each(drawn([...rows.keys()], 16))('%s', async (path) => {
    const { at, from, is, fields = {} } = rowOf(path);
    const address = at(place);
    const formNow = async () => (from === undefined ? {} : formOf((await owner.get(from(place))).text, address));
    const evil = (form: Record<string, string[]>) => Object.fromEntries([...Object.keys(form), ...Object.keys(fields)].map((name) => [name, EVIL]));

    const sent = await formNow();
    const answers = [await owner.post(address, { ...evil(sent), seen: sent['seen'] ?? [] })];
    const whole = { ...(await formNow()), ...fields };
    const before = await acts();
    answers.push(...(await Promise.all([owner.post(address, whole), owner.post(address, whole)])));

    for (const answer of answers) {
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain(RAW);
      if (answer.location !== null) expect((await owner.get(answer.location)).text).not.toContain(RAW);
    }
    // A reset always wins, and does the same twice.
    if (is === 'anew' || path === '/people/:id/reset') return;
    const done = (await readBridgeActs(it.bridge.pool)).slice(before).map(({ act, orderRef, subject }) => `${act} ${orderRef} ${subject}`);
    expect(done).toEqual([...new Set(done)]);
  });

  test.each(pages.filter(({ path, get }) => get !== undefined && !path.includes(':')))('and then in $path', async ({ path }) => {
    const page = await owner.get(`/console${path}`);

    // An archive is of a month that its query names.
    expect(page.status).toBeLessThan(path === '/months/files' ? 405 : 400);
    if (path.endsWith('.csv')) expect(page.text).not.toMatch(/^=|,=/m);
    else expect(page.text).not.toContain(RAW);
  });
});
