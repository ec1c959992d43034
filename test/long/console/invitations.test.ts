import { expect, test } from 'vitest';
import { Secret } from '../../../src/config/secret.ts';
import { listInvitations } from '../../../src/operations/onboarding/invitations.ts';
import { startedMerchant } from '../../support/connect/started-merchant.ts';
import { formOf } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { plainTextOf } from '../../support/samples/mail-parts.ts';
import { startSmtp } from '../../support/servers/smtp-server.ts';
import { ownShop } from '../../support/worlds/own-service.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const PATH = '/console/stores/invitations';

const linkIn = (text: string) => /\/connect\/([\w-]{43})/.exec(text)?.[1] ?? '';

test('an owner invites a merchant by mail, gives them a new link, and revokes it; nobody else does, and no token is kept', async () => {
  await using smtp = await startSmtp();
  await using it = await world({
    embeddedService: true,
    config: { publicUrl: 'https://bridge.example', mail: { smtpUrl: new Secret(smtp.url), from: 'bridge@service.example' } },
  });
  const { bridge } = it;
  const { shopId } = await ownShop(it);
  const owner = await signIn(bridge);
  for (const role of ['operator', 'accountant', 'viewer'] as const) {
    const browser = await signIn(bridge, { role });
    expect(await browser.get(PATH)).toMatchObject({ status: 403 });
    if (role !== 'accountant') expect((await browser.get('/console/stores')).text).not.toContain(PATH);
  }
  expect((await owner.get('/console/stores')).text).toContain(`href="${PATH}"`);
  const page = (await owner.get(PATH)).text;
  expect(page).toContain('No merchant was invited yet.');
  expect(page).toContain('Магазин за чаши');

  expect(await owner.post(PATH, { email: 'no address', shop: '', lang: '' })).toMatchObject({
    status: 422,
    text: expect.stringContaining('This is not an e-mail address.'),
  });
  const made = await owner.post(PATH, { email: 'maria@shop.example', shop: shopId, lang: '' });
  expect(made).toMatchObject({ status: 200, location: null });
  const token = linkIn(made.text);
  expect(made.text).toContain(`https://bridge.example/connect/${token}`);
  await until(() => expect(smtp.taken.map(plainTextOf).join()).toContain(token), { what: 'the mail with the link' });
  const ask = (one: string) => fetch(`${bridge.app.url}/connect/${one}`, { redirect: 'manual' }).then(({ status }) => status);
  expect(await ask(token)).toBe(303);

  const listed = (await owner.get(PATH)).text;
  expect(listed).toContain('maria@shop.example');
  expect(listed).not.toContain(token);
  const [, id = ''] = /invitations\/([\w-]{36})\/link/.exec(listed) ?? [];
  const verb = async (name: string) => owner.post(`${PATH}/${id}/${name}`, formOf((await owner.get(PATH)).text, `${PATH}/${id}/${name}`));
  const renewed = linkIn((await verb('link')).text);
  expect([await ask(token), await ask(renewed)]).toEqual([404, 303]);
  expect(await verb('revoke')).toMatchObject({ location: `${PATH}?done=invitation-revoked` });
  expect(await ask(renewed)).toBe(404);
  const acts = await readBridgeActs(bridge.pool);
  expect(acts.map(({ act }) => act).filter((act) => act.startsWith('invitation'))).toEqual(['invitation.made', 'invitation.renewed', 'invitation.revoked']);
  for (const kept of [token, renewed, 'maria']) expect(JSON.stringify(acts)).not.toContain(kept);
});

test('the page of a store has the links of its merchant; the one to its status is ended there, and made anew', async () => {
  await using it = await world();
  const { bridge } = it;
  const owner = await signIn(bridge);
  const { id, connected } = await startedMerchant(bridge, { email: 'maria@shop.example' });
  const store = `/console/stores/${connected.connection.id}`;
  const verb = async (name: string) => owner.post(`${PATH}/${id}/${name}`, formOf((await owner.get(store)).text, `${PATH}/${id}/${name}`));
  expect((await owner.get(store)).text).toContain('No link leads to this store.');

  const token = linkIn((await verb('link')).text);
  expect(await fetch(`${bridge.app.url}/connect/${token}/status`).then(({ status }) => status)).toBe(200);
  expect((await owner.get(store)).text).toContain('status of the store');
  expect(await verb('end-status')).toMatchObject({ location: `${PATH}?done=link-ended` });
  expect(await fetch(`${bridge.app.url}/connect/${token}/status`).then(({ status }) => status)).toBe(404);
});

test('invitations are listed in pages, the newest first, and by their state', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  await pool.query(
    `insert into onboardings (who, expires_at, revoked_at, created_at) select 'cli:test', now() + interval '1 day', case when n % 2 = 0 then now() end, now() - n * interval '1 minute' from generate_series(1, 120) n`,
  );
  const owner = await signIn(it.bridge);
  const rows = (text: string) => text.match(/<td data-label="For">/g)?.length ?? text.match(/<tr><td/g)?.length ?? 0;
  const way = (rel: 'next' | 'prev', text: string) => new RegExp(`rel="${rel}" href="([^"]+)"`).exec(text)?.[1]?.replaceAll('&amp;', '&');
  const ids = (text: string) => [...text.matchAll(/invitations\/([\w-]{36})\/link/g)].map(([, id]) => id);
  const pages = async (path: string, rel: 'next' | 'prev') => {
    const all: string[] = [];
    for (let next: string | undefined = path; next !== undefined; next = way(rel, all.at(-1) ?? '')) all.push((await owner.get(next)).text);
    return all;
  };
  const sizes = async (path: string) => (await pages(path, 'next')).map(rows);

  expect(await sizes(PATH)).toEqual([50, 50, 20]);
  expect(await sizes(`${PATH}?state=revoked`)).toEqual([50, 10]);
  // And back from the last one, by the same pages.
  const there = await pages(PATH, 'next');
  const back = await pages(way('next', there[1] ?? '') ?? '', 'prev');
  expect(back.map(ids)).toEqual(there.map(ids).toReversed());
  expect(way('next', back.at(-1) ?? '')).toBe(way('next', there[0] ?? ''));
  const oldest = (await listInvitations({ pool })).at(-1)?.id;
  const beyond = (await owner.get(`${PATH}?after=${oldest}`)).text;
  expect(beyond).toContain('There are no more invitations.');
  expect([beyond.includes('No merchant was invited yet'), beyond.includes('rel="first"')]).toEqual([false, true]);
  expect((await owner.get(`${PATH}?state=started`)).text).toContain('No invitation matches.');
});
