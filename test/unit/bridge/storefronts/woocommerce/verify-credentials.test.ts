import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../../src/bridge/order/facts/failure.ts';
import type { StoreAnswer } from '../../../../../src/bridge/storefronts/contract.ts';
import { handOver } from '../../../../../src/bridge/storefronts/woocommerce/hand-over.ts';
import { guide, resave, verifyCredentials } from '../../../../../src/bridge/storefronts/woocommerce/onboarding.ts';
import { startWooReader } from '../../../../support/servers/woo/read-woo.ts';
import { closures } from '../../../../support/servers/woo/woo-site.ts';

describe('keys', () => {
  test.each([
    ['write', {}, []],
    ['read', {}, []],
    ['write', { https: true, stripsAuthorization: true }, ['header.stripped']],
    ['write', { tls: false }, ['http']],
  ] as const)('that may %s work (%j)', async (key, host, notes) => {
    await using it = await startWooReader(host);

    expect(await verifyCredentials(it.access(key), it.means())).toEqual({
      ...{ ok: true, mayWrite: key === 'write', version: 'WooCommerce 10.5.0, WordPress 6.9.1', notes: notes.map((code) => ({ code })) },
    });
    expect(it.store.webhooks.all.size).toBe(0);
  });

  test.each(['5.7.9', '5', '3.5.10', '4.99.1-rc.2'])(
    'of a store that runs on %s open nothing: its orders can’t be read by when they changed',
    async (version) => {
      await using it = await startWooReader({ version });

      expect(await verifyCredentials(it.access(), it.means())).toEqual({ ok: false, problem: { code: 'shop.old', data: { needed: '5.8', version } } });
      expect(it.store.asked.some(({ method }) => method === 'POST')).toBe(false);
    },
  );

  test.each(['5.8', '5.10.1', '6.0.0', '11', 'trunk'])('of a store that runs on %s work', async (version) => {
    await using it = await startWooReader({ version });

    expect(await verifyCredentials(it.access(), it.means())).toMatchObject({ ok: true, version: `WooCommerce ${version}, WordPress 6.9.1` });
  });

  test.each([
    ['does not say it', undefined, null],
    ['says that of its shop alone', { environment: { version: '9.1.0', wp_version: null } }, 'WooCommerce 9.1.0'],
    ['says something else', { environment: {} }, null],
  ])('work where the store %s', async (_name, body, version) => {
    await using it = await startWooReader({ version: null });
    it.store.host.intercept = ({ path }) => (body !== undefined && path.includes('system_status') ? { status: 200, body } : undefined);

    expect(await verifyCredentials(it.access(), it.means())).toMatchObject({ ok: true, version });
  });

  test.each([
    ['of a user who may see no orders', { key: 'customer' }, 'keys.user'],
    ['with a wrong secret', { secret: 'cs_other' }, 'keys.refused'],
    ['that nobody knows', { id: 'ck_other', https: true }, 'keys.unseen'],
    ['that nobody knows, over http', { id: 'ck_other', tls: false }, 'keys.refused'],
  ] as const)('%s do not', async (_name, given, code) => {
    await using it = await startWooReader({ https: 'https' in given, tls: !('tls' in given) });
    const access = it.access('key' in given ? given.key : 'write');
    const tried = { ...access, ...('secret' in given ? { consumerSecret: given.secret } : {}), ...('id' in given ? { consumerKey: given.id } : {}) };

    expect(await verifyCredentials(tried, it.means())).toEqual({ ok: false, problem: { code } });
  });

  test.each([
    [closures.maintenance, { code: 'maintenance' }],
    [closures.firewall, { code: 'firewall' }],
    [{ status: 200, body: '<html>' }, { code: 'rest.html' }],
    [
      { status: 200, body: {} },
      { code: 'broken', data: { status: '200' } },
    ],
    [
      { status: 301, headers: { location: 'http://192.168.1.1/x' }, body: '' },
      { code: 'redirects.api', data: { to: 'http://192.168.1.1' } },
    ],
    [
      { status: 302, body: '' },
      { code: 'broken', data: { status: '302' } },
    ],
    [
      { status: 302, headers: { location: 'https://%' }, body: '' },
      { code: 'broken', data: { status: '302' } },
    ],
  ])('are not tried where the store answers %j', async (answer, problem) => {
    await using it = await startWooReader();
    it.store.host.intercept = () => answer;

    expect(await verifyCredentials(it.access(), it.means())).toEqual({ ok: false, problem });
  });

  test('are not tried where nothing answers, nor half of them; a defect is thrown', async () => {
    await using it = await startWooReader();
    const { consumerSecret: _missing, ...half } = it.access();
    const failing = (thrown: Error) => ({ ...it.means(), fetchJson: (): Promise<StoreAnswer> => Promise.reject(thrown) });

    expect(await verifyCredentials(half, it.means())).toEqual({ ok: false, problem: { code: 'keys.refused' } });
    expect(await verifyCredentials(it.access(), failing(new Failure('storefront.unreachable', 'no')))).toEqual({ ok: false, problem: { code: 'unreachable' } });
    await expect(verifyCredentials(it.access(), failing(new TypeError('a defect')))).rejects.toThrow('a defect');
  });
});

describe('an order is saved as it is', () => {
  test('the newest, and its webhook is sent', async () => {
    await using it = await startWooReader();
    it.store.webhooks.add({ topic: 'order.updated', delivery_url: 'https://here.example/' });
    it.store.floor.buy();
    it.clock.now += 60_000;
    const { id, number } = it.store.floor.buy();
    it.store.webhooks.queue.length = 0;

    expect(await resave(it.access(), it.means())).toBe(number);
    expect(it.store.webhooks.queue.map(({ event }) => event.id)).toEqual([id]);
  });

  test('none, where there is none, or it is gone meanwhile; one without a number by its id', async () => {
    await using it = await startWooReader();
    expect(await resave(it.access(), it.means())).toBeNull();
    const { id } = it.store.floor.buy();
    const gone = { status: 404, body: { code: 'woocommerce_rest_shop_order_invalid_id' } };
    it.store.host.intercept = ({ method }) => (method === 'PUT' ? gone : { status: 200, body: [{ id }] });
    expect(await resave(it.access(), it.means())).toBeNull();
    it.store.host.intercept = ({ method }) => (method === 'PUT' ? undefined : { status: 200, body: [{ id }] });
    expect(await resave(it.access(), it.means())).toBe(String(id));
  });
});

describe('what a store posts', () => {
  const [key, secret] = [`ck_${'a1'.repeat(20)}`, `cs_${'b2'.repeat(20)}`];
  const posted = { key_id: 4, user_id: 'state', consumer_key: key, consumer_secret: secret, key_permissions: 'read_write' };

  test('is read, with what its key may do', () => {
    expect(handOver.read(posted)).toEqual({ state: 'state', credentials: { consumerKey: key, consumerSecret: secret }, mayWrite: true });
    expect(handOver.read({ ...posted, key_permissions: 'read' })).toMatchObject({ mayWrite: false });
  });

  test.each([null, [], { ...posted, user_id: 7 }, { ...posted, consumer_key: 'ck_short' }, { ...posted, key_permissions: 'admin' }])(
    'is not this: %j',
    (body) => {
      expect(handOver.read(body)).toBeNull();
    },
  );

  test('is asked for at an address that names ours whole', () => {
    const asked = handOver.address({
      url: 'https://shop.example/corner/',
      state: 's',
      returnUrl: 'https://here.example/r',
      callbackUrl: 'https://here.example/c',
    });

    expect(asked).toBe(
      'https://shop.example/corner/wc-auth/v1/authorize?app_name=orderbridge&scope=read_write&user_id=s&return_url=https%3A%2F%2Fhere.example%2Fr&callback_url=https%3A%2F%2Fhere.example%2Fc',
    );
  });
});

test('the steps by hand name the form’s topics and the address', () => {
  const steps = guide.webhooks({ address: 'https://here.example/w', topics: ['order.created', 'action.woocommerce_delete_order'] });

  expect(steps.map(({ en }) => en).join('\n')).toMatch(
    /each of 2 topics[\s\S]*Order created; Action: woocommerce_delete_order[\s\S]*https:\/\/here\.example\/w/,
  );
  expect(steps.every(({ bg }) => /[а-я]/.test(bg))).toBe(true);
});
