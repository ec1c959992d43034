import { expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { addPerson, resetPassword, setDisabled } from '../../../src/operations/people/people.ts';
import { BY_TEST, codeOf, PASSWORD, withPassword } from '../../support/console/chosen-password.ts';
import { EnteringBrowser } from '../../support/console/entering-browser.ts';
import { type SmtpHandle, startSmtp } from '../../support/servers/smtp-server.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

function mailing({ url }: SmtpHandle) {
  return { config: { mail: { smtpUrl: new Secret(url), from: 'orderbridge@shop.example' }, publicUrl: 'https://bridge.example', trustProxy: ['loopback'] } };
}

/** The mails with a link, or those that say that a password was set. */
function those({ taken }: SmtpHandle, kind: 'link' | 'set') {
  return taken.filter(({ text }) => text.includes('your password was set') === (kind === 'set'));
}

/** The mail that comes next, as its words are. */
async function mailed(smtp: SmtpHandle, count: number, kind: 'link' | 'set' = 'link'): Promise<{ to: string[]; text: string }> {
  await until(() => those(smtp, kind).length === count, { what: `mail ${count}` });
  const mail = those(smtp, kind)[count - 1];
  if (mail === undefined) throw new Error('there is no mail');
  return { to: mail.to, text: mail.text.replaceAll('=\r\n', '').replaceAll('=3D', '=') };
}

test('a mailed link signs in once; anyone who asks gets the same answer, and unknown and disabled people no mail', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  await withPassword(it.bridge, 'maria@shop.example');
  const gone = await withPassword(it.bridge, 'gone@shop.example');
  await setDisabled(it.bridge.app.core, gone.person, { isDisabled: true, ...BY_TEST });
  const browser = new EnteringBrowser(it.bridge.app.url);
  expect((await browser.get('/console/sign-in')).text).toContain('Mail me a link');
  const ask = (email: string) => browser.post('/console/sign-in', { email, way: 'link', password: '', to: '/console/account' });

  const answers = [await ask('nobody@shop.example'), await ask('gone@shop.example'), await ask('maria@shop.example')];

  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.text).toContain('Check your mailbox');
  const { to, text } = await mailed(smtp, 1);
  expect(to).toEqual(['maria@shop.example']);
  const path = /https:\/\/bridge\.example(\/console\/enter\?code=[\w-]{43}&to=\S+)/.exec(text)?.[1] ?? '';
  // Programs that look at mails open links.
  for (let i = 0; i < 3; i += 1) expect((await browser.get(path)).text).toContain('This signs you in as maria@shop.example');
  expect(await browser.get('/console')).toMatchObject({ status: 303 });
  expect(await browser.post('/console/enter', { code: codeOf(path), to: '/console/account' })).toMatchObject({ status: 303, location: '/console/account' });
  expect((await browser.get('/console/account')).text).toContain('mailed link');
  const other = new EnteringBrowser(it.bridge.app.url);
  expect(await other.post('/console/enter', { code: codeOf(path), to: '/console' })).toMatchObject({ status: 410, setCookies: [] });
  expect(await other.get(path)).toMatchObject({ status: 410 });
  expect(those(smtp, 'link')).toHaveLength(1);
});

test('a mailed link lasts 15 minutes, leads nowhere else, and a mailbox gets three at a time', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  await withPassword(it.bridge, 'maria@shop.example');
  const ask = (from: string) =>
    new EnteringBrowser(it.bridge.app.url, { 'x-forwarded-for': from }).post('/console/sign-in', {
      email: 'maria@shop.example',
      way: 'link',
      to: '//evil.example',
    });

  for (let i = 0; i < 4; i += 1) {
    expect(await ask(`192.0.2.${i}`)).toMatchObject({ status: 200 });
    if (i < 3) await mailed(smtp, i + 1);
  }
  const { text } = await mailed(smtp, 3);
  expect(text).not.toContain('evil');
  await it.bridge.pool.query(`update sign_in_links set expires_at = made_at`);
  expect(await new EnteringBrowser(it.bridge.app.url).post('/console/enter', { code: codeOf(text) })).toMatchObject({ status: 410 });
});

test('without a mail server there is no such way', async () => {
  await using it = await world();
  await withPassword(it.bridge, 'maria@shop.example');
  const browser = new EnteringBrowser(it.bridge.app.url);

  expect((await browser.get('/console/sign-in')).text).not.toContain('Mail me a link');
  expect(await browser.post('/console/sign-in', { email: 'maria@shop.example', way: 'link' })).toMatchObject({ status: 401 });
});

test('a link to choose a password works once, for three days, until a newer one or the end of its person', async () => {
  await using it = await world();
  const { core, url } = it.bridge.app;
  const { person, link } = await addPerson(core, { email: 'new@shop.example', name: 'Нина', role: 'viewer', shops: null, lang: 'bg', ...BY_TEST });
  const browser = new EnteringBrowser(url);
  const choose = (path: string, password = PASSWORD) => browser.post('/console/choose-password', { code: codeOf(path), password });

  expect((await browser.get(link)).text).toContain('value="new@shop.example"');
  expect(await choose(link, 'too short')).toMatchObject({ status: 422 });
  const both = await Promise.all([choose(link), choose(link)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 410]);
  expect(await choose(link)).toMatchObject({ status: 410 });
  expect(await browser.get('/console')).toMatchObject({ status: 200 });

  const reset = await resetPassword(core, person, BY_TEST);
  // The session and the password ended with it.
  expect(await browser.get('/console')).toMatchObject({ status: 303 });
  expect(await browser.post('/console/sign-in', { email: 'new@shop.example', password: PASSWORD })).toMatchObject({ status: 401 });
  const newer = await resetPassword(core, person, BY_TEST);
  expect(await choose(reset.link)).toMatchObject({ status: 410 });
  await it.bridge.pool.query(`update sign_in_links set expires_at = now() - interval '1 second' where used_at is null`);
  expect(await choose(newer.link)).toMatchObject({ status: 410 });

  const last = await resetPassword(core, person, BY_TEST);
  await setDisabled(core, person, { isDisabled: true, ...BY_TEST });
  expect(await choose(last.link)).toMatchObject({ status: 410 });
  await setDisabled(core, person, { isDisabled: false, ...BY_TEST });
  expect(await choose(last.link)).toMatchObject({ status: 410 });
});

test('a link of one kind is no link of another', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const { link } = await addPerson(it.bridge.app.core, { email: 'new@shop.example', name: '', role: 'viewer', shops: null, lang: 'en', ...BY_TEST });
  const browser = new EnteringBrowser(it.bridge.app.url);
  await browser.post('/console/sign-in', { email: 'new@shop.example', way: 'link' });
  const { text } = await mailed(smtp, 1);

  expect(await browser.post('/console/choose-password', { code: codeOf(text), password: PASSWORD })).toMatchObject({ status: 410 });
  expect(await browser.post('/console/enter', { code: codeOf(link) })).toMatchObject({ status: 410 });
  expect(await browser.post('/console/setup', { code: codeOf(link), email: 'a@b.example', password: PASSWORD })).toMatchObject({ status: 410 });
  // Each is still good for what it is.
  expect(await browser.post('/console/enter', { code: codeOf(text) })).toMatchObject({ status: 303 });
});

test('a person is mailed when their password was set, by a link or on the page of their account', async () => {
  await using smtp = await startSmtp();
  await using it = await world(mailing(smtp));
  const { browser } = await withPassword(it.bridge, 'maria@shop.example');

  const first = await mailed(smtp, 1, 'set');
  expect(first.to).toEqual(['maria@shop.example']);
  expect(first.text).toContain('A password was set for you at https://bridge.example/console');
  await browser.post('/console/account/password', { old: PASSWORD, chosen: 'four more words to keep' });
  expect((await mailed(smtp, 2, 'set')).to).toEqual(['maria@shop.example']);
});
