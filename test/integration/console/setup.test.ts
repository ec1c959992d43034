import { expect, test } from 'vitest';
import { offerSetupLink } from '../../../src/operations/people/links.ts';
import { listPeople } from '../../../src/operations/people/people.ts';
import { actsOf, codeOf, PASSWORD } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const OWNER = { email: 'ivan@shop.example', name: 'Иван <b>', password: PASSWORD, lang: 'bg' };

async function offered({ app }: Awaited<ReturnType<typeof world>>['bridge']): Promise<string> {
  const path = await offerSetupLink(app.core);
  if (path === null) throw new Error('no set-up link was offered');
  return path;
}

test('the set-up link makes an owner who is signed in, once', async () => {
  await using it = await world();
  const browser = new EnteringBrowser(it.bridge.app.url);
  expect((await browser.get('/console/sign-in')).text).toContain('Nobody can sign in here yet');

  const path = await offered(it.bridge);
  expect(path).toMatch(/^\/console\/setup\?code=[A-Z2-9]{4}-[A-Z2-9]{4}$/);
  // Looking at it, as programs that look at mails do, uses nothing up.
  expect(await browser.get(path)).toMatchObject({ status: 200 });
  expect((await browser.get(path)).text).toContain('Set up orderbridge');
  // Typed by hand.
  const answer = await browser.post('/console/setup', { ...OWNER, code: codeOf(path).toLowerCase().replace('-', ' ') });

  expect(answer).toMatchObject({ status: 303, location: '/console' });
  const page = await browser.get('/console/people');
  expect(page.text).toContain('<html lang="bg">');
  expect(page.text).toContain('Иван &lt;b&gt;');
  const [owner] = await listPeople(it.bridge.app.core);
  if (owner === undefined) throw new Error('there is no owner');
  expect(owner).toMatchObject({ role: 'owner', shops: null, hasPassword: true, sessions: 1 });
  const acts = await actsOf(it.bridge, owner);
  expect(acts.map(({ act, who }) => [act, who])).toEqual([
    ['person.added', `person:${owner.id}`],
    ['person.signed-in', `person:${owner.id}`],
  ]);
  expect(JSON.stringify(acts)).not.toContain('@');
  for (const again of [await browser.get(path), await browser.post('/console/setup', { ...OWNER, email: 'second@shop.example', code: codeOf(path) })]) {
    expect(again).toMatchObject({ status: 410 });
  }
  expect(await offerSetupLink(it.bridge.app.core)).toBeNull();
});

test('of two who use the code at the same moment one becomes the owner', async () => {
  await using it = await world();
  const code = codeOf(await offered(it.bridge));

  const answers = await Promise.all(
    ['a', 'b', 'c'].map((name) => new EnteringBrowser(it.bridge.app.url).post('/console/setup', { ...OWNER, email: `${name}@shop.example`, code })),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
  expect(await listPeople(it.bridge.app.core)).toHaveLength(1);
});

test('a code ends with its hour, with a new start, and with the first person', async () => {
  await using it = await world();
  const browser = new EnteringBrowser(it.bridge.app.url);
  const first = await offered(it.bridge);
  const second = await offered(it.bridge);
  expect(await browser.get(first)).toMatchObject({ status: 410 });
  expect(await browser.get(second)).toMatchObject({ status: 200 });

  await it.bridge.pool.query(`update sign_in_links set expires_at = now() - interval '1 second'`);
  expect(await browser.post('/console/setup', { ...OWNER, code: codeOf(second) })).toMatchObject({ status: 410 });

  const third = await offered(it.bridge);
  await signIn(it.bridge);
  expect(await browser.post('/console/setup', { ...OWNER, code: codeOf(third) })).toMatchObject({ status: 410 });
});

test('what can’t be is said beside its field, what was typed stays, and the code is not used up', async () => {
  await using it = await world();
  const browser = new EnteringBrowser(it.bridge.app.url);
  const code = codeOf(await offered(it.bridge));

  const short = await browser.post('/console/setup', { ...OWNER, code, password: 'short' });
  expect(short).toMatchObject({ status: 422 });
  expect(short.text).toContain('It is too short');
  expect(short.text).toContain('value="ivan@shop.example"');
  expect(short.text).not.toContain('value="short"');
  expect((await browser.post('/console/setup', { ...OWNER, code, password: 'IVAN@shop.example' })).text).toContain('too easy to guess');
  expect((await browser.post('/console/setup', { ...OWNER, code, password: 'x'.repeat(201) })).text).toContain('too long');
  expect((await browser.post('/console/setup', { ...OWNER, code, email: 'ivan' })).text).toContain('This is not an e-mail address');

  expect(await browser.post('/console/setup', { ...OWNER, code })).toMatchObject({ status: 303 });
});

test('codes are not guessed: five tries a minute', async () => {
  await using it = await world({ fresh: true, role: 'console' });
  const path = await offered(it.bridge);
  const browser = new EnteringBrowser(it.bridge.app.url);

  const answers = await Promise.all(Array.from({ length: 9 }, (_, i) => browser.get(`/console/setup?code=AAAA-AAA${i}`)));

  expect(answers.map(({ status }) => status).sort()).toEqual([410, 410, 410, 410, 410, 429, 429, 429, 429]);
  expect(await browser.get(path)).toMatchObject({ status: 429 });
});
