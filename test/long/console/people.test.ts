import { expect, test } from 'vitest';
import { listPeople } from '../../../src/operations/people/people.ts';
import { actsOf, codeOf, PASSWORD } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

function seenIn(text: string): string {
  return /name="seen" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

const VERBS = ['', '/reset', '/disable', '/enable', '/end-sessions'];

test.each(['operator', 'accountant', 'viewer'] as const)('people are not for the role %s, by whatever way', async (role) => {
  await using it = await world();
  const owner = await signIn(it.bridge);
  const browser = await signIn(it.bridge, { role });
  const path = `/console/people/${owner.person.id}`;

  for (const page of ['/console/people', path]) {
    const refused = await browser.get(page);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.text).toContain('Only owner can do this.');
    expect(refused.text).not.toContain(owner.person.email);
  }
  const seen = seenIn((await owner.get(path)).text);
  expect(await browser.post('/console/people', { email: 'me@shop.example', role: 'owner' })).toMatchObject({ status: 403 });
  for (const verb of VERBS) expect(await browser.post(`${path}${verb}`, { seen, role: 'viewer' })).toMatchObject({ status: 403 });

  expect(await listPeople(it.bridge.app.core)).toMatchObject([{ isDisabled: false }, { isDisabled: false }]);
  expect(await owner.get('/console')).toMatchObject({ status: 200 });
});

test('no form of another site changes people, and none that shows what is past', async () => {
  await using it = await world();
  const owner = await signIn(it.bridge);
  const { person } = await signIn(it.bridge, { role: 'operator' });
  const path = `/console/people/${person.id}`;
  const seen = seenIn((await owner.get(path)).text);

  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, {}]) {
    expect(await owner.post('/console/people', { email: 'evil@shop.example', role: 'owner' }, headers)).toMatchObject({ status: 403 });
    for (const verb of VERBS) expect(await owner.post(`${path}${verb}`, { seen, role: 'viewer' }, headers)).toMatchObject({ status: 403 });
  }
  expect(await owner.post(path, { seen, role: 'viewer' })).toMatchObject({ location: `${path}?done=person-changed` });
  const stale = await owner.post(path, { seen, role: 'owner' });
  expect(stale).toMatchObject({ status: 409 });
  expect(stale.text).toMatch(/owner; Shops: all[\s\S]+viewer; Shops: all/);
  for (const verb of VERBS) expect(await owner.post(`${path}${verb}`, { role: 'owner' })).toMatchObject({ status: 409 });
});

test('an owner adds an accountant of one shop, who chooses a password by the link that is shown once', async () => {
  await using it = await world();
  const corner = await it.bridge.connect({ name: 'Corner <i>' });
  await it.bridge.connect({ name: 'Garden' });
  const owner = await signIn(it.bridge);
  const page = await owner.get('/console/people');
  expect(page.text).toContain('You’re the only user.');
  expect(page.text).toContain('Corner &lt;i&gt;');
  const given = { email: 'acc@kantora.example', name: '<b>Мария</b>', lang: 'bg', role: 'accountant', scope: 'some', shop: corner.connection.shopId };

  const answer = await owner.post('/console/people', given, { 'sec-fetch-site': 'same-origin', origin: it.bridge.app.url });

  expect(answer).toMatchObject({ status: 200 });
  expect(answer.text).toContain('&lt;b&gt;Мария');
  const link = new RegExp(`<code class="copy">${it.bridge.app.url}(/console/choose-password\\?code=[\\w-]{43})</code>`).exec(answer.text)?.[1] ?? '';
  const browser = new EnteringBrowser(it.bridge.app.url);
  expect(await browser.post('/console/choose-password', { code: codeOf(link), password: PASSWORD })).toMatchObject({ status: 303 });
  expect((await browser.get('/console/account')).text).toContain('<html lang="bg">');
  const list = await owner.get('/console/people');
  expect(list.text).not.toContain('choose-password');
  expect(list.text).toMatch(/&lt;b&gt;Мария[\s\S]+accountant[\s\S]+Corner &lt;i&gt;/);
  const added = (await listPeople(it.bridge.app.core)).find(({ email }) => email === given.email);
  if (added === undefined) throw new Error('nobody was added');
  expect(await actsOf(it.bridge, added)).toMatchObject([
    { act: 'person.added', who: `person:${owner.person.id}`, after: { role: 'accountant', shops: [corner.connection.shopId] } },
    { act: 'person.password-chosen', who: `person:${added.id}` },
    { act: 'person.signed-in', who: `person:${added.id}`, after: { way: 'password' } },
  ]);
});

test('what can’t be is said beside its field, and what was typed stays', async () => {
  await using it = await world();
  const { connection } = await it.bridge.connect();
  const owner = await signIn(it.bridge, { email: 'ivan@shop.example' });
  const add = (fields: Record<string, string>) => owner.post('/console/people', { email: 'new@shop.example', name: 'Ново', role: 'accountant', ...fields });
  const problems: [Record<string, string>, number, string][] = [
    [{ email: 'no address' }, 422, 'This is not an e-mail address.'],
    [{ email: 'IVAN@shop.example' }, 409, 'Somebody has this address already.'],
    [{ scope: 'some' }, 422, 'Choose at least one shop, or all.'],
    [{ scope: 'some', shop: connection.shopId, role: 'operator' }, 422, 'Only accountants can be limited to shops.'],
    [{ scope: 'some', shop: '<script>' }, 422, 'a shop is named by its id'],
  ];

  for (const [fields, status, words] of problems) {
    const answer = await add(fields);
    expect(answer).toMatchObject({ status });
    expect(answer.text).toContain(words);
    expect(answer.text).not.toContain('<script>"');
  }
  expect((await add({ email: 'no address' })).text).toContain('value="Ново"');
  expect(await listPeople(it.bridge.app.core)).toHaveLength(1);
  // An invented role is the least.
  await add({ role: 'god' });
  expect((await listPeople(it.bridge.app.core)).find(({ email }) => email === 'new@shop.example')).toMatchObject({ role: 'viewer' });
});

test('the last owner is neither lowered nor disabled, not even by two who do it to each other', async () => {
  await using it = await world();
  const [ann, bob] = [await signIn(it.bridge, { name: 'Ann' }), await signIn(it.bridge, { name: 'Bob' })];
  const at = (one: typeof ann) => `/console/people/${one.person.id}`;
  const seen = seenIn((await ann.get(at(bob))).text);

  const both = await Promise.all([ann.post(at(bob), { seen, role: 'viewer' }), bob.post(`${at(ann)}/disable`, { seen })]);

  expect(both.map(({ status }) => status).filter((status) => status === 303)).toHaveLength(1);
  const owners = (await listPeople(it.bridge.app.core)).filter(({ role, isDisabled }) => role === 'owner' && !isDisabled);
  expect(owners).toHaveLength(1);
  const last = owners[0]?.id === ann.person.id ? ann : bob;
  for (const [path, fields] of [
    [at(last), { role: 'operator' }],
    [`${at(last)}/disable`, {}],
  ] as const) {
    const answer = await last.post(path, { seen: seenIn((await last.get(at(last))).text), ...fields });
    expect(answer).toMatchObject({ status: 409 });
    expect(answer.text).toContain('this is the last owner');
  }
});

test('an owner resets a password, shuts somebody out and lets them in again, ends their sessions, and each is an act', async () => {
  await using it = await world();
  const owner = await signIn(it.bridge);
  const other = await signIn(it.bridge, { role: 'operator' });
  const path = `/console/people/${other.person.id}`;
  const act = async (verb: string) => owner.post(`${path}/${verb}`, { seen: seenIn((await owner.get(path)).text) });

  expect(await act('end-sessions')).toMatchObject({ status: 303, location: `${path}?done=sessions-ended` });
  expect(await other.get('/console')).toMatchObject({ status: 303 });
  const reset = await act('reset');
  expect(reset.text).toContain('/console/choose-password?code=');
  expect(reset.headers.get('cache-control')).toBe('no-store');
  expect((await owner.get('/console/people')).text).toContain('has a link until');
  expect(await act('disable')).toMatchObject({ location: `${path}?done=person-disabled` });
  expect((await owner.get('/console/people')).text).toContain('access revoked');
  expect(await act('reset')).toMatchObject({ status: 409 });
  expect(await act('enable')).toMatchObject({ location: `${path}?done=person-enabled` });

  expect((await actsOf(it.bridge, other.person)).map(({ act: name, who }) => [name, who === `person:${owner.person.id}`])).toEqual([
    ['person.signed-in', false],
    ['session.ended', true],
    ['person.reset', true],
    ['person.disabled', true],
    ['person.enabled', true],
  ]);
  expect(await owner.get('/console/people/nobody')).toMatchObject({ status: 404 });
  expect(await owner.post('/console/people/nobody/disable')).toMatchObject({ status: 404 });
});

test('people are listed in pages', async () => {
  await using it = await world({ role: 'console' });
  await it.bridge.pool.query(`insert into people (email, name, role) select 'sealed elsewhere', 'Person ' || n, 'viewer' from generate_series(1, 60) n`);
  const owner = await signIn(it.bridge, { name: 'Ani' });

  const [first, second] = [await owner.get('/console/people?sort=0'), await owner.get('/console/people?sort=0&n=50')];

  const named = (text: string) => text.match(/>(?:Ani|Person \d+)<\/a>/g) ?? [];
  expect([named(first.text).length, named(second.text).length]).toEqual([50, 11]);
  expect(first.text).toContain('href="/console/people?sort=0&amp;n=50"');
});
