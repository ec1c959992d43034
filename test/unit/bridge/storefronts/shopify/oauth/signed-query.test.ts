import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { hmac } from '../../../../../../src/bridge/storefronts/hmac.ts';
import { grantQuery, signedQuery, signedText } from '../../../../../../src/bridge/storefronts/shopify/oauth/grant-query.ts';
import { app, officialLibrary } from './official-library.ts';

const { library } = officialLibrary(['read_orders']);
const now = () => Math.trunc(Date.now() / 1000);
const NOW = 1_795_000_000;

/** A query of these values, signed as Shopify does. */
function signed(values: Record<string, string>, secret = app.clientSecret): string {
  return new URLSearchParams({ ...values, hmac: hmac(secret, [signedText(new Map(Object.entries(values)))]).toString('hex') }).toString();
}

const read = (query: string, secrets = [app.clientSecret], at = NOW) => signedQuery(query, secrets, at * 1000);
const why = (query: string, at?: number) => {
  const found = read(query, [app.clientSecret], at);
  return found.ok ? 'ok' : found.why;
};

const name = fc.stringMatching(/^[a-z_]{1,12}$/).filter((one) => !['hmac', 'signature', 'shop', 'timestamp', 'code', 'state', 'host'].includes(one));
const value = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 30 }), fc.string({ unit: fc.constantFrom(..." +%&=~!*'()-._,[]äб"), maxLength: 20 }));

property.prop([fc.array(fc.tuple(name, value), { maxLength: 12 }), value, fc.boolean()])(
  'a query is signed by the rule of the official library: any names and values, repeated ones, in any order',
  async (pairs, state, isTampered) => {
    const query = new URLSearchParams([...pairs, ['state', state], ['shop', 'corner.myshopify.com'], ['timestamp', String(now())]]);
    const merged = new Map<string, string>();
    for (const [key, one] of query) merged.set(key, merged.has(key) ? `${merged.get(key)},${one}` : one);
    query.append('hmac', hmac(app.clientSecret, [signedText(merged)]).toString('hex'));
    query.append('signature', 'of something else');
    if (isTampered) query.append('more', 'x');

    const theirs = await library.utils.validateHmac(query);
    expect(theirs).toBe(!isTampered);
    expect(signedQuery(query.toString(), [app.clientSecret], Date.now()).ok).toBe(theirs);
  },
);

test('a signature is in hex of lower case alone, as the official library has it', async () => {
  const query = signed({ shop: 'corner.myshopify.com', timestamp: String(now()) });
  const upper = query.replace(/(?<=hmac=)\w+/, (claim) => claim.toUpperCase());

  expect(upper).not.toBe(query);
  for (const one of [query, upper]) {
    const theirs = await library.utils.validateHmac(new URLSearchParams(one));
    expect([theirs, signedQuery(one, [app.clientSecret], Date.now()).ok]).toEqual([one === query, one === query]);
  }
});

test('any secret of the app is enough, and none of another one', () => {
  const query = signed({ shop: 'corner.myshopify.com', timestamp: String(NOW) });

  expect(read(query, ['shpss_new', app.clientSecret])).toMatchObject({ ok: true });
  expect(read(query, ['shpss_new'])).toEqual({ ok: false, why: 'unsigned' });
  expect(read(query, [])).toEqual({ ok: false, why: 'unsigned' });
});

test('values of a name that comes twice are signed joined by commas', () => {
  const claim = hmac(app.clientSecret, [
    signedText(
      new Map([
        ['ids', '1,2'],
        ['timestamp', String(NOW)],
      ]),
    ),
  ]).toString('hex');

  expect(why(`ids=1&timestamp=${NOW}&ids=2&hmac=${claim}`)).toBe('ok');
});

test('it is good for 90 seconds before and after', () => {
  const query = signed({ shop: 'corner.myshopify.com', timestamp: String(NOW) });

  expect([-91, -90, 0, 90, 91].map((seconds) => why(query, NOW + seconds))).toEqual(['stale', 'ok', 'ok', 'ok', 'stale']);
});

test('what is no query of Shopify’s is not even hashed', () => {
  const values = { shop: 'corner.myshopify.com', timestamp: String(NOW), code: 'c', state: 's' };
  const good = signed(values);

  expect(why(good)).toBe('ok');
  for (const twice of ['hmac', 'shop', 'timestamp', 'code', 'state', 'host']) {
    expect(why(`${twice}=1&${good}&${twice}=2`), twice).toBe('malformed');
  }
  for (const timestamp of ['', '1.5', '1e9', ' 1', '-1', '1'.repeat(13)]) expect(why(signed({ ...values, timestamp })), timestamp).toBe('malformed');
  expect(why(new URLSearchParams(values).toString())).toBe('malformed');
  expect(why(good.replace(/hmac=.{4}/, 'hmac='))).toBe('malformed');
  expect(why(signed({ ...values, more: 'x'.repeat(8_000) }))).toBe('malformed');
  expect(why(signed({ ...values, ...Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`n${n}`, '1'])) }))).toBe('malformed');
});

test('an install begins at Shopify; a way back brings a code, or none if the merchant did not approve', () => {
  const grant = (values: Record<string, string>) => grantQuery(signed({ timestamp: String(NOW), ...values }), [app.clientSecret], NOW * 1000);
  const url = 'https://corner.myshopify.com';

  expect(grant({ shop: 'Corner.myshopify.com', host: 'YWRtaW4' })).toEqual({ ok: true, url, code: null, state: null });
  expect(grant({ shop: 'corner.myshopify.com', code: 'c', state: 's' })).toEqual({ ok: true, url, code: 'c', state: 's' });
  expect(grant({ shop: 'corner.myshopify.com', state: 's', error: 'access_denied' })).toEqual({ ok: true, url, code: null, state: 's' });
  for (const wrong of [{}, { shop: 'corner.example' }, { shop: 'corner.myshopify.com', code: 'c' }, { shop: 'corner.myshopify.com', code: 'c', state: '' }])
    expect(grant(wrong)).toEqual({ ok: false, why: 'malformed' });
  expect(grantQuery(signed({ timestamp: '1', shop: 'corner.myshopify.com' }), [app.clientSecret], NOW * 1000)).toEqual({ ok: false, why: 'stale' });
});
