import { describe, expect, test } from 'vitest';
import { resolveMany } from '../../../src/bridge/ledger/review/resolutions.ts';
import { formOf } from '../../support/console/form-of.ts';
import { issueIn, sendManyToReview } from '../../support/console/review-world.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const CARD = { 'value-0': 'VIRTUAL_POS', 'name-0': '12345678' };
const EVIL = '"><img src=x onerror=alert(1)>';

async function issueWorld(it: World, count = 3) {
  const connected = await it.bridge.connect({ name: 'Corner' });
  await sendManyToReview(it, connected, { count });
  const [maria, ivan] = [
    await signIn(it.bridge, { role: 'accountant', name: 'Maria', shops: [connected.connection.shopId] }),
    await signIn(it.bridge, { role: 'operator', name: 'Ivan' }),
  ];
  const issue = issueIn((await maria.get('/console/review')).text, '“borica_pos” has no payment type');
  const payment = async () => (await it.bridge.app.core.connections.find(connected.connection.id))?.settings.payments?.['borica_pos'];
  return { connected, maria, ivan, issue, payment };
}

/** What the form of an issue by which somebody proposes sends, with this answer. */
async function propose(browser: SignedInBrowser, issue: string, answer: Record<string, string> = CARD) {
  const form = formOf((await browser.get(issue)).text, `${issue}/propose`);
  return browser.post(`${issue}/propose`, { ...form, ...answer });
}

/** The address and the fields of the form of an issue by which a proposal is taken or declined. */
async function decision(browser: SignedInBrowser, issue: string, verb: 'accept' | 'decline') {
  const { text } = await browser.get(issue);
  const [, path = ''] = /action="(\/console\/proposals\/[\w-]+)"/.exec(text) ?? [];
  return { path, form: { ...formOf(text, path), verb } };
}

test('what an accountant proposes is shown to an operator, who takes it: one order goes first, the others follow', async () => {
  await using it = await world();
  const { maria, ivan, issue, payment } = await issueWorld(it);

  const kept = await propose(maria, issue, { ...CARD, note: `the bank says so ${EVIL}` });

  expect(kept).toMatchObject({ status: 303, location: `${issue}?done=answer-proposed` });
  expect(await payment()).toBeUndefined();
  expect((await maria.get(issue)).text).toMatch(/Maria proposes an answer.*It waits for an operator/s);
  for (const path of ['/console', '/console/review', issue]) {
    const { text } = await ivan.get(path);
    expect(text).toMatch(/Maria proposes/);
    expect(text).toContain('Card, by a virtual POS of the merchant’s bank, 12345678');
    expect(text).not.toContain('<img');
  }
  const { path, form } = await decision(ivan, issue, 'accept');
  const taken = await ivan.post(path, form);
  expect(taken.location).toMatch(new RegExp(`^${issue}\\?action=`));
  await until(async () => (await ivan.get(taken.location ?? '')).text.includes('Release the other 2'), { what: 'the first one to be recorded' });
  expect(it.service.living).toBe(1);
  expect(await payment()).toEqual({ paymentType: 'VIRTUAL_POS', paymentProcessorName: '12345678' });
  expect((await maria.get(issue)).text).toContain('Ivan accepted what Maria proposed');
  expect((await ivan.get('/console')).text).not.toContain('Maria proposes');
  const acts = (await readBridgeActs(it.bridge.pool)).filter(({ act }) => act.startsWith('answer.') || act === 'settings.changed');
  expect(acts.map(({ act, who }) => [act, who])).toEqual([
    ['answer.proposed', `person:${maria.person.id}`],
    ['settings.changed', `person:${ivan.person.id}`],
    ['answer.accepted', `person:${ivan.person.id}`],
  ]);
  expect(acts[0]).toMatchObject({ why: `the bank says so ${EVIL}`, after: { answers: [{ gateway: 'borica_pos', value: 'VIRTUAL_POS', name: '12345678' }] } });
});

test('an operator says why not, and the person who proposed it reads that; a newer proposal takes the place of an open one', async () => {
  await using it = await world();
  const { maria, ivan, issue, payment } = await issueWorld(it, 1);
  await propose(maria, issue, { 'value-0': 'OTHER' });
  await propose(maria, issue);
  expect((await ivan.get(issue)).text).toContain('12345678');
  const { path, form } = await decision(ivan, issue, 'decline');
  expect(await ivan.post(path, { ...form, reason: ' ' })).toMatchObject({ status: 422 });

  expect(await ivan.post(path, { ...form, reason: `ask the bank ${EVIL}` })).toMatchObject({ status: 303, location: `${issue}?done=answer-declined` });

  const { text } = await maria.get(issue);
  expect(text).toMatch(/Ivan declined what Maria proposed.*ask the bank &quot;&gt;&lt;img/s);
  expect(text).not.toContain('<img');
  expect(await payment()).toBeUndefined();
  // It ended: what is sent once more is out of date.
  expect((await ivan.post(path, { ...form, verb: 'accept' })).status).toBe(409);
  const acts = (await readBridgeActs(it.bridge.pool)).map(({ act }) => act).filter((act) => act.startsWith('answer.'));
  expect(acts).toEqual(['answer.proposed', 'answer.proposed', 'answer.declined']);
});

describe('a proposal that is out of date', () => {
  test('says that the settings were changed since, and can only be declined', async () => {
    await using it = await world();
    const { connected, maria, ivan, issue } = await issueWorld(it, 1);
    await propose(maria, issue);
    const { path, form } = await decision(ivan, issue, 'accept');
    const edit = () => ({ ...connected.connection.settings, payments: { borica_pos: { paymentType: 'OTHER' } } });
    await it.bridge.app.core.connections.changeSettings(connected.connection.id, { by: 'cli:ana@shop', edit });

    expect(await ivan.post(path, form)).toMatchObject({ status: 409, text: expect.stringContaining('The settings were changed since.') });

    const { text } = await ivan.get(issue);
    expect(text).toMatch(/Since then somebody changed the settings.*Other/s);
    expect(text).not.toContain('Accept.');
    expect(it.service.living).toBe(0);
  });

  test('is gone from what waits once nobody is asked any more', async () => {
    await using it = await world();
    const { connected, maria, ivan, issue } = await issueWorld(it, 1);
    await propose(maria, issue);
    const { path, form } = await decision(ivan, issue, 'accept');
    const { id } = (await it.bridge.order(connected, '1')) ?? { id: 0 };
    await resolveMany(it.bridge.pool, [id], { how: 'not-a-sale', by: 'cli:ana@shop', why: 'a trial', at: new Date().toISOString() });

    expect(await ivan.post(path, form)).toMatchObject({ status: 409, text: expect.stringContaining('It is decided already.') });

    expect((await ivan.get('/console')).text).not.toContain('Maria proposes');
    expect((await propose(maria, issue)).status).toBe(409);
  });
});

test.each([
  [{}, 'Choose one.'],
  [{ 'value-0': 'MONEY' }, 'This is none of the choices.'],
  [{ 'value-0': 'PAYMENT_PROCESSOR' }, 'A payment service needs its name.'],
])('a proposal that is not right is shown again, and not kept: %j', async (answer, words) => {
  await using it = await world();
  const { maria, issue } = await issueWorld(it, 1);

  const page = await propose(maria, issue, answer);

  expect(page).toMatchObject({ status: 422, text: expect.stringContaining(words) });
  expect((await readBridgeActs(it.bridge.pool)).filter(({ act }) => act === 'answer.proposed')).toEqual([]);
});

test('viewers propose nothing, accountants of other shops see nothing, and nobody takes their own', async () => {
  await using it = await world();
  const { maria, ivan, issue, payment } = await issueWorld(it, 1);
  const fields = { ...formOf((await maria.get(issue)).text, `${issue}/propose`), ...CARD };
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  const other = await signIn(it.bridge, { role: 'accountant', shops: ['0b0a7b1e-0000-4000-8000-000000000001'] });

  expect((await viewer.get(issue)).text).not.toContain('Propose it');
  expect((await viewer.post(`${issue}/propose`, fields)).status).toBe(403);
  expect((await other.post(`${issue}/propose`, fields)).status).toBe(409);
  expect((await maria.post(`${issue}/propose`, fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
  expect((await maria.post(`${issue}/propose`, { ...fields, seen: 'older' })).status).toBe(409);
  await maria.post(`${issue}/propose`, fields);
  const { path, form } = await decision(ivan, issue, 'accept');
  for (const browser of [viewer, maria]) expect((await browser.post(path, form)).status).toBe(403);
  expect((await ivan.post(path, form, { origin: 'https://evil.example' })).status).toBe(403);
  expect((await ivan.post('/console/proposals/none', form)).status).toBe(404);

  expect(await payment()).toBeUndefined();
});

test('two operators who take it at once: one does, and one order goes', async () => {
  await using it = await world();
  const { maria, ivan, issue } = await issueWorld(it);
  await propose(maria, issue);
  const petra = await signIn(it.bridge, { role: 'operator', name: 'Petra' });
  const [first, second] = [await decision(ivan, issue, 'accept'), await decision(petra, issue, 'accept')];

  const answers = await Promise.all([ivan.post(first.path, first.form), petra.post(second.path, second.form)]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  await until(() => it.service.living === 1, { what: 'the one order to be recorded' });
  const acts = (await readBridgeActs(it.bridge.pool)).map(({ act }) => act);
  expect(acts.filter((act) => act === 'answer.accepted')).toHaveLength(1);
  expect(acts.filter((act) => act === 'order.released')).toHaveLength(1);
});
