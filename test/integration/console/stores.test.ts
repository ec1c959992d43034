import { expect, test } from 'vitest';
import { PERSON_ROLES } from '../../../src/contract/person-role.ts';
import { actsIn } from '../../support/console/acts-in.ts';
import { formOf, unescaped } from '../../support/console/form-of.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { type Connected, orderOf } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import { recorded, type World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();
const MARKUP = 'Corner <b>&amp; "x"';
const ESCAPED = 'Corner &lt;b&gt;&amp;amp; &quot;x&quot;';
const GATEWAY = 'borica<i>"pos"';

async function inReviewBy(it: World, connected: Connected, id: string): Promise<void> {
  await it.bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: GATEWAY } }) });
  await it.bridge.settled(connected, id, 'review');
}

const refusedSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

test('without a store the list says how one is connected', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge, { role: 'viewer' });

  const { status, text } = await browser.get('/console/stores');

  expect(status).toBe(200);
  expect(text).toContain('No store is connected yet.');
  expect((await browser.get('/console/stores/c_nowhere')).status).toBe(404);
});

test('stores with what was recorded, asked, refused and has no mapping; names and gateways are text', async () => {
  await using it = await world({ fresh: true });
  const connected = await it.bridge.connect({ name: MARKUP });
  await recorded(it, connected, '1042');
  await inReviewBy(it, connected, '1043');
  expect(await it.bridge.send({ ...connected, secret: refusedSecret }, 'order.paid', { order: orderOf('1044') })).toBe(401);
  const browser = await signIn(it.bridge, { role: 'operator' });
  const path = `/console/stores/${connected.connection.id}`;

  const list = (await browser.get('/console/stores')).text;
  expect(list).toContain(ESCAPED);
  expect(list).toContain('<span class="tag attention">orders in review</span>');
  expect(list).not.toContain('all is well');
  expect(list).toMatch(/data-label="Recorded 24 h">1</);
  expect(list).toMatch(/data-label="Sent to review, 24 h">1</);
  expect(list).toContain('without a mapping: borica&lt;i&gt;&quot;pos&quot;');

  const { text } = await browser.get(path);
  expect(text).toContain('The payment method “borica&lt;i&gt;&quot;pos&quot;” has no mapping: 1 order waits for it.');
  expect(text).toContain('1 order needs review.');
  expect(text).toContain('processed');
  expect(text).toContain(`href="/console/webhooks?store=${connected.connection.id}"`);
  expect(text).toMatch(/href="\/console\/webhooks\/[0-9a-f-]{36}">[^<]*<time[^>]*>[^<]*\d\d:\d\d:\d\d</);
  const refused = await until(
    async () => {
      const page = await browser.get(`${path}?refused=1`);
      return page.text.includes('matches no live secret') ? page.text : undefined;
    },
    { what: 'the refused webhook to be listed' },
  );
  expect(refused).toContain('refused</span>');
  expect(refused).not.toContain('processed');
  for (const page of [list, text, refused]) expect(page).not.toContain('<i>"pos"');
});

test('of several things that are wrong of a store, the first one has the button to press', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const browser = await signIn(it.bridge);
  for (const method of ['shells', 'pebbles']) await it.bridge.send(connected, 'order.paid', { order: orderOf(method, { payment: { method } }) });
  for (const method of ['shells', 'pebbles']) await it.bridge.settled(connected, method, 'review');

  const { text } = await browser.get(`/console/stores/${connected.connection.id}`);
  const [list = ''] = /<ul class="reasons health">.*?<\/ul>/s.exec(text) ?? [];

  expect([...list.matchAll(/<a class="verb second"/g)].length).toBeGreaterThan(0);
  expect([...list.matchAll(/<a class="verb"/g)]).toHaveLength(1);
});

test('a new secret is shown once, the old one is live beside it; a form that was sent before makes no other', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: MARKUP });
  const browser = await signIn(it.bridge);
  const path = `/console/stores/${connected.connection.id}/secret`;
  const { seen = [] } = formOf((await browser.get(path)).text, path);

  const answer = await browser.post(path, { seen, how: 'make' });

  expect(answer.status).toBe(200);
  const fresh = unescaped(/<pre class="secret">([^<]*)<\/pre>/.exec(answer.text)?.[1] ?? '');
  const code = unescaped(/<pre class="secret">(http[^<]*)<\/pre>/.exec(answer.text)?.[1] ?? 'none:');
  expect(decodeURIComponent(new URL(code).username)).toBe(fresh);
  for (const secret of [fresh, connected.secret]) expect(await it.bridge.send({ ...connected, secret }, 'order.paid', { order: orderOf('1') })).toBe(200);
  expect((await browser.get(path)).text).not.toContain(fresh);
  expect((await browser.get(path)).text).toMatch(/Two secrets are valid\. The old one ends in 2[34] h/);
  expect((await browser.post(path, { seen, how: 'make' })).status).toBe(409);
  expect(await actsIn(it.bridge.pool)).toMatchObject([{ act: 'secret.rotated', who: `person:${browser.person.id}` }]);
});

test('a pasted secret; one that leaked ends at once; a bad one is refused beside its field', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const browser = await signIn(it.bridge);
  const path = `/console/stores/${connected.connection.id}/secret`;
  const { seen = [] } = formOf((await browser.get(path)).text, path);

  expect((await browser.post(path, { seen, how: 'paste' })).text).toContain('Paste the secret, or let one be made.');
  const bad = await browser.post(path, { seen, how: 'paste', secret: 'short<i>' });
  expect(bad).toMatchObject({ status: 422, text: expect.stringContaining('id="secret-problem"') });
  expect(bad.text).not.toContain('short');
  const taken = await browser.post(path, { seen, how: 'paste', secret: refusedSecret, leaked: 'yes' });
  expect(taken.text).toContain('The old one is refused from now on.');
  expect(taken.text).not.toContain(refusedSecret);

  expect(await it.bridge.send({ ...connected, secret: refusedSecret }, 'order.paid', { order: orderOf('1') })).toBe(200);
  expect(await it.bridge.send(connected, 'order.paid', { order: orderOf('2') })).toBe(401);
});

test('a store is disconnected by its name alone, and what is left to do of it is shown', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ name: MARKUP });
  await inReviewBy(it, connected, '1043');
  const browser = await signIn(it.bridge);
  const store = `/console/stores/${connected.connection.id}`;
  const path = `${store}/disconnect`;
  const { seen = [] } = formOf((await browser.get(path)).text, path);

  const wrong = await browser.post(path, { seen, name: 'Corner<i>', why: 'moved <u>' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('value="Corner&lt;i&gt;"');
  expect(wrong.text).toContain('value="moved &lt;u&gt;"');
  expect(wrong.text).toContain('1 order needs review.');
  expect(await browser.post(path, { seen, name: MARKUP, why: 'moved <u>' })).toMatchObject({ status: 303, location: `${store}?done=storeDisconnected` });

  const { text } = await browser.get(store);
  expect(text).toContain('It is disconnected');
  expect(text).toContain('1 order needs review.');
  expect(text).not.toContain(`${store}/secret`);
  expect((await browser.post(path, { seen, name: MARKUP })).status).toBe(409);
  expect(await it.bridge.send(connected, 'order.paid', { order: orderOf('2') })).toBe(410);
  expect(await actsIn(it.bridge.pool)).toMatchObject([{ act: 'store.disconnected', who: `person:${browser.person.id}`, why: 'moved <u>' }]);
});

test('keys that do not work change nothing, unless that is wanted; keys that were given are never shown', async () => {
  await using it = await world();
  const connected = await it.bridge.connect({ platform: 'woocommerce', store: 'http://127.0.0.1:9', secret: 'a long enough secret' });
  const browser = await signIn(it.bridge);
  const store = `/console/stores/${connected.connection.id}`;
  const path = `${store}/keys`;
  const { seen = [] } = formOf((await browser.get(path)).text, path);
  const given = { seen, url: 'http://127.0.0.1:9', consumerKey: 'ck_secret', consumerSecret: 'cs_secret' };

  const refused = await browser.post(path, given);
  expect(refused.status).toBe(422);
  expect(refused.text).toContain('This does not work; nothing was changed:');
  expect(refused.text).not.toMatch(/c[ks]_secret/);
  expect((await browser.post(path, { ...given, url: 'javascript:alert(1)' })).text).toContain('must start with https://');
  expect((await browser.post(path, { ...given, consumerSecret: '' })).text).toContain('these keys go together');
  expect(await actsIn(it.bridge.pool)).toEqual([]);

  expect(await browser.post(path, { ...given, anyway: 'yes' })).toMatchObject({ status: 303, location: `${store}?done=keysChangedAnyway` });
  expect((await browser.get(path)).text).not.toMatch(/c[ks]_secret/);
  expect((await browser.get(store)).text).toContain('does not work');
  expect((await browser.post(path, given)).status).toBe(409);
  expect(await actsIn(it.bridge.pool)).toMatchObject([{ act: 'store.changed', who: `person:${browser.person.id}` }]);
});

test('webhooks that can’t be listed, and a host that no webhook names, are refused in words', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const browser = await signIn(it.bridge);
  const store = `/console/stores/${connected.connection.id}`;

  expect(await browser.post(`${store}/webhooks`, { what: 'repair' })).toMatchObject({ status: 422, text: expect.stringContaining('can’t be listed') });
  expect(await browser.post(`${store}/host`, { host: '<b>', ownership: 'ours' })).toMatchObject({ status: 404, text: expect.stringContaining('&lt;b&gt;') });
});

test('who may not does nothing, nor does a form of another site', async () => {
  await using it = await world();
  const connected = await it.bridge.connect();
  const store = `/console/stores/${connected.connection.id}`;
  const rights: [string, readonly string[]][] = [
    ['settings', ['owner', 'operator']],
    ['secret', ['owner']],
    ['keys', ['owner']],
    ['disconnect', ['owner']],
    ['webhooks', ['owner', 'operator']],
    ['host', ['owner']],
  ];
  for (const role of PERSON_ROLES) {
    const browser = await signIn(it.bridge, { role });
    for (const [page, roles] of rights) {
      expect((await browser.post(`${store}/${page}`, { name: 'corner' }, { 'sec-fetch-site': 'cross-site' })).status, `${role} ${page} from elsewhere`).toBe(
        403,
      );
      const { status } = await browser.post(`${store}/${page}`, {});
      if (roles.includes(role)) expect([404, 409, 422], `${role} ${page}`).toContain(status);
      else expect(status, `${role} ${page}`).toBe(403);
    }
    for (const path of ['/console/stores', store]) expect((await browser.get(path)).status, `${role} ${path}`).toBe(role === 'accountant' ? 403 : 200);
  }
  const viewer = await signIn(it.bridge, { role: 'viewer' });
  expect((await viewer.get(store)).text).not.toContain('<form method="post" action="/console/stores');
  expect(await actsIn(it.bridge.pool)).toEqual([]);
});
