import { expect, test } from 'vitest';
import { inviteMerchant } from '../../support/connect/store-merchant.ts';
import { refuseConnections } from '../../support/servers/refuse-connections.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const say = {
  en: {
    failed: 'there is nothing to do in your store',
    away: 'This page tries again by itself',
    unknown: 'Whether your last press was carried out is not known',
  },
  bg: {
    failed: 'в магазина не е нужно да правите нищо',
    away: 'Страницата опитва отново сама',
    unknown: 'Не е известно дали последното ви натискане е изпълнено',
  },
} as const;
/** Words for those who run the server. */
const OPERATORS = /Redis|receiver|приемник|The log has|в дневника|Today|„Днес“|orderbridge [a-z]+ /;

const mail = { smtpUrl: null, from: 'orderbridge@localhost', replyTo: 'help@agency.example' };

/** A merchant with a link, whose browser speaks their language. */
async function merchantIn(it: World, lang: 'en' | 'bg') {
  const { base } = await inviteMerchant(it, lang);
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { 'accept-language': lang, 'sec-fetch-site': 'same-origin', ...init.headers };
    const answer = await fetch(`${it.bridge.app.url}${path}`, { redirect: 'manual', ...init, headers });
    return { status: answer.status, text: await answer.text(), id: answer.headers.get('x-request-id') ?? 'none' };
  };
  const post = (path: string, fields: Record<string, string>, headers = {}) =>
    ask(`${base}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers });
  return { base, ask, post };
}

test.each(['en', 'bg'] as const)(
  'a page that fails, is not there, or is sent from elsewhere is explained to a merchant in their own words, in %s',
  async (lang) => {
    await using it = await world({ config: { mail } });
    const { base, ask, post } = await merchantIn(it, lang);
    await it.bridge.pool.query(`create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`);
    await it.bridge.pool.query('create trigger broken before update on onboardings for each row execute function broken()');

    const failed = await post('/language', { lang });
    const missing = await ask('/connect/one/two/three');
    const foreign = await post('/store', {}, { 'sec-fetch-site': 'cross-site' });

    expect([failed.status, failed.text.includes(say[lang].failed), failed.text.includes(say[lang].unknown)]).toEqual([500, true, true]);
    for (const part of [failed.id, 'help@agency.example']) expect(failed.text).toContain(part);
    // At the address of that form there is no page; at that of the other there is.
    expect(failed.text).toContain(`href="${base}"`);
    expect(foreign.text).toContain(`href="${base}/store"`);
    expect([missing.status, foreign.status]).toEqual([404, 403]);
    for (const { text } of [failed, missing, foreign]) expect(text).not.toMatch(OPERATORS);
  },
);

test.each(['en', 'bg'] as const)('while the database is away a merchant reads what that means for them, and the page tries again, in %s', async (lang) => {
  await using it = await world({ config: { mail } });
  const { base, ask, post } = await merchantIn(it, lang);
  const { href: url, pathname } = new URL(it.databaseUrl);
  await using away = await refuseConnections(Object.assign(new URL(url), { pathname: '/orderbridge' }).href, pathname.slice(1));

  const looked = await ask(`${base}/store`);
  const sent = await post('/language', { lang: 'en' });

  expect([looked.status, looked.text.includes('http-equiv="refresh" content="10"'), looked.text.includes(say[lang].away)]).toEqual([503, true, true]);
  expect([sent.status, sent.text.includes(`content="10; url=${base}"`), sent.text.includes(say[lang].unknown)]).toEqual([503, true, true]);
  for (const { text } of [looked, sent]) expect(text).not.toMatch(OPERATORS);
  await away.again();
  await until(async () => (await ask(`${base}/store`)).status === 200, { what: 'the page to come back' });
});
