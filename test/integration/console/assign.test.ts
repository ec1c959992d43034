import { expect, test } from 'vitest';
import { listActivity } from '../../../src/operations/activity/list-activity.ts';
import { issueGroups } from '../../../src/operations/review/issue-group.ts';
import { formOf } from '../../support/console/form-of.ts';
import { issueIn, sendManyToReview } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

async function waiting(it: World, count = 2) {
  const connected = await it.bridge.connect({ name: 'Corner' });
  await sendManyToReview(it, connected, { count });
  const owner = await signIn(it.bridge, { name: 'Olga' });
  const maria = await signIn(it.bridge, { role: 'operator', name: 'Maria <b>' });
  const issue = issueIn((await owner.get('/console/review')).text, 'has no payment type');
  const form = async (path = issue) => formOf((await owner.get(path)).text, `${path}/assign`);
  const acts = async () => (await listActivity(it.bridge.app.core, { limit: 100, act: 'review.assigned' })).map(({ who, after, why }) => ({ who, after, why }));
  return { connected, owner, maria, issue, form, acts };
}

test('an issue is somebody’s, with a note: in the list, among theirs, on its page and in the audit log', async () => {
  await using it = await world();
  const { owner, maria, issue, form, acts } = await waiting(it);

  const sent = await owner.post(`${issue}/assign`, { ...(await form()), person: maria.person.id, note: 'ask Borica <i>' });

  expect(sent.location).toMatch(new RegExp(`^${issue}`));
  for (const path of ['/console/review', '/console/review?mine=1', issue]) expect((await maria.get(path)).text).toContain('Maria &lt;b&gt;</span>');
  expect((await owner.get(issue)).text).toContain('ask Borica &lt;i&gt;');
  expect((await owner.get('/console/review?mine=1')).text).toContain('Nothing is assigned to you.');
  expect((await maria.get('/console/orders?mine=1')).text).toContain('<strong>2 orders</strong>');
  expect((await owner.get('/console/orders?mine=1')).text).toContain('No order matches.');
  expect(await acts()).toEqual([
    { who: `person:${owner.person.id}`, after: { person: `person:${maria.person.id}`, snoozedUntil: null }, why: 'ask Borica <i>' },
  ]);
});

test('one order of it may be another’s', async () => {
  await using it = await world();
  const { connected, owner, maria, issue, form } = await waiting(it);
  await owner.post(`${issue}/assign`, { ...(await form()), person: maria.person.id });
  const path = `/console/orders/${(await it.bridge.order(connected, '1'))?.id}`;

  await owner.post(`${path}/assign`, { ...(await form(path)), me: '1', person: '', note: '' });

  expect((await maria.get('/console/orders?mine=1')).text).toContain('<strong>1 order</strong>');
  expect((await owner.get(path)).text).toContain('Who looks after it: <span class="tag quiet">Olga</span>');
  expect((await owner.get('/console/review')).text).toMatch(/Maria &lt;b&gt;<\/span>.*Olga<\/span>/);
});

test('a snoozed issue is listed apart, and counts as before: in the status, in alerts and in the list', async () => {
  await using it = await world();
  const { owner, issue, form } = await waiting(it);
  const failed = async () => (await it.bridge.app.healthReader.now()).failedChecks.map(({ code, words }) => [code, words]);
  const before = await failed();

  await owner.post(`${issue}/assign`, { ...(await form()), snooze: 'day', day: '2099-01-01' });

  const { text } = await owner.get('/console/review');
  const [group] = await issueGroups({ ...it.bridge.app.core, now: () => new Date() }, { shops: null });
  expect(text).toMatch(/<h2>Snoozed<\/h2>.*has no payment type.*snoozed until/s);
  expect(text).toContain('2 orders are waiting for one decision.');
  expect(group?.assigned).toMatchObject({ apartUntil: group?.assigned.latest, snoozedUntil: group?.assigned.latest });
  expect(await failed()).toEqual(before);
  expect(before.map(([, words]) => words).join()).toContain('2 orders');
});

test('an order is snoozed alone; an issue of which each order is stands apart, and nothing is muted', async () => {
  await using it = await world();
  const { connected, owner, form } = await waiting(it);
  const before = (await it.bridge.app.healthReader.now()).failedChecks.map(({ words }) => words);
  const snooze = async (id: string) => {
    const path = `/console/orders/${(await it.bridge.order(connected, id))?.id}`;
    await owner.post(`${path}/assign`, { ...(await form(path)), snooze: 'day', day: '2099-01-01', note: 'ask the courier' });
    return (await owner.get(path)).text;
  };

  expect(await snooze('1')).toMatch(/snoozed until \d.*ask the courier/);
  const one = (await owner.get('/console/review')).text;
  expect(one).toMatch(/has no payment type.*1 snoozed/s);
  expect(one).not.toContain('<h2>Snoozed</h2>');
  expect((await owner.get('/console/orders?state=review')).text.match(/snoozed until/g)).toHaveLength(1);
  await snooze('2');
  expect((await owner.get('/console/review')).text).toMatch(/<h2>Snoozed<\/h2>.*snoozed until/s);
  expect((await it.bridge.app.healthReader.now()).failedChecks.map(({ words }) => words)).toEqual(before);
});

test('the same press twice is one act; of two people who say something else at once, one is told', async () => {
  await using it = await world();
  const { owner, maria, issue, form, acts } = await waiting(it, 1);
  const seen = await form();

  const twice = await Promise.all([1, 2].map(() => owner.post(`${issue}/assign`, { ...seen, me: '1' })));

  expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  expect(await acts()).toHaveLength(1);
  const fresh = await form();
  const both = await Promise.all([owner.post(`${issue}/assign`, { ...fresh, person: '' }), maria.post(`${issue}/assign`, { ...fresh, me: '1' })]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect(await acts()).toHaveLength(2);
});

test('only to somebody who sees the store, and only by who decides', async () => {
  await using it = await world();
  const { owner, issue, form, acts } = await waiting(it, 1);
  const accountant = await signIn(it.bridge, { role: 'accountant', shops: [] });

  expect((await owner.post(`${issue}/assign`, { ...(await form()), person: accountant.person.id })).status).toBe(422);
  expect((await (await signIn(it.bridge, { role: 'viewer' })).post(`${issue}/assign`, { me: '1' })).status).toBe(403);
  expect(await acts()).toEqual([]);
});
