import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { decodeSpecialChars, woocommerce } from '../../../../../src/bridge/storefronts/woocommerce/woocommerce.ts';
import { RECORDED_SECRET, recordings } from '../../../../fixtures/woocommerce/recordings.ts';

const pings = recordings.filter(({ kind }) => kind === 'ping');
const webhooks = recordings.filter(({ kind }) => kind === 'webhook');

describe('recorded requests', () => {
  test('are all here', () => {
    expect([pings.length, webhooks.length]).toEqual([5, 49]);
  });

  test.each(webhooks)('$file is trusted by its raw bytes', ({ delivery }) => {
    expect(woocommerce.verify(delivery, [RECORDED_SECRET], 0)).toEqual({ trusted: true });
    expect(woocommerce.isPing?.(delivery)).toBe(false);
  });

  test.each(webhooks)('$file is not trusted once its JSON was written anew', ({ delivery }) => {
    const body = Buffer.from(`${JSON.stringify(JSON.parse(delivery.body.toString()))} `);

    expect(woocommerce.verify({ ...delivery, body }, [RECORDED_SECRET], 0)).toEqual({ trusted: false, code: 'signature.mismatch' });
  });

  test.each(pings)('$file is a ping, and unsigned', ({ delivery }) => {
    expect(woocommerce.isPing?.(delivery)).toBe(true);
    expect(woocommerce.verify(delivery, [RECORDED_SECRET], 0)).toEqual({ trusted: false, code: 'signature.missing' });
  });
});

describe('a ping', () => {
  const form = ['content-type', 'application/x-www-form-urlencoded; charset=UTF-8'] as const;

  test.each([
    ['has no other content type', [['content-type', 'application/json']], 'webhook_id=1'],
    ['has a content type', [], 'webhook_id=1'],
    ['bears no headers of a webhook', [form, ['x-wc-webhook-topic', 'order.updated']], 'webhook_id=1'],
    ['holds nothing but a webhook id', [form], 'webhook_id=1&order=2'],
    ['is short', [form], `webhook_id=${'1'.repeat(100)}`],
  ] as const)('%s', (_rule, headers, body) => {
    expect(woocommerce.isPing?.({ headers: new Map(headers), body: Buffer.from(body) })).toBe(false);
  });

  test('may name the charset', () => {
    expect(woocommerce.isPing?.({ headers: new Map([form]), body: Buffer.from('webhook_id=12') })).toBe(true);
  });
});

describe('the secret', () => {
  const body = Buffer.from('{"id":1}');
  const signedWith = (key: string) => ({ headers: new Map([['x-wc-webhook-signature', createHmac('sha256', key).update(body).digest('base64')]]), body });

  test('signs with its entities decoded, as WordPress does', () => {
    expect(woocommerce.verify(signedWith(`p&s<"x'>&é`), [`p&s<"x'>&amp;é`], 0)).toEqual({ trusted: true });
  });

  test('counts as it was given, too', () => {
    expect(woocommerce.verify(signedWith('a&amp;b'), ['a&amp;b'], 0)).toEqual({ trusted: true });
  });

  test.each([
    ['&amp;&lt;&gt;&quot;&#039;', `&<>"'`],
    ['&#39;&#x27;&#X0027;&#034;&#x22;', `'''""`],
    ['&#038;&#x26;&#060;&#062;', '&&<>'],
    ['&amp;lt;', '&lt;'],
    ['&AMP;&#8211;&nbsp;& plain', '&AMP;&#8211;&nbsp;& plain'],
  ])('%s decodes to %s', (encoded, decoded) => {
    expect(decodeSpecialChars(encoded)).toBe(decoded);
  });

  test('may not be empty, nor white space', () => {
    expect(woocommerce.secretProblem('  ')).toMatch(/empty.*Webhooks/);
    expect(woocommerce.secretProblem('p&s <"x')).toBeNull();
  });
});

describe('the envelope', () => {
  test('names the topic, the delivery and the store without its last slash', () => {
    const headers = new Map([
      ['x-wc-webhook-topic', 'order.updated'],
      ['x-wc-webhook-delivery-id', '5f37'],
      ['x-wc-webhook-source', 'https://shop.example/bg/'],
    ]);

    expect(woocommerce.envelope(headers)).toEqual({ topic: 'order.updated', deliveryId: '5f37', store: 'https://shop.example/bg' });
  });

  test('says that our plugin sends it in place of a webhook, where it does', () => {
    expect(woocommerce.envelope(new Map([['x-orderbridge-plugin', '1.0.0']]))).toMatchObject({ isByModule: true });
  });

  test('is empty where the headers are absent', () => {
    expect(woocommerce.envelope(new Map())).toEqual({ topic: '', deliveryId: null, store: null });
  });

  test('of an address of many slashes is read at once', () => {
    const store = `https://shop.example${'/'.repeat(200_000)}bg`;

    expect(woocommerce.envelope(new Map([['x-wc-webhook-source', `${store}//`]]))).toMatchObject({ store });
  });
});

test('what our plugin requests is signed as Standard Webhooks are, with the secret as it is or, as WooCommerce signs, its entities decoded', () => {
  const [now, secret] = [Date.parse('2026-11-22T12:00:00Z'), 'a&amp;whsec_MTIz'];
  const body = Buffer.from('{"order":"7"}');
  const signed = (key: string, seconds = now / 1000) => {
    const signature = createHmac('sha256', key).update(`msg_1.${seconds}.${body}`).digest('base64');
    return { headers: new Map(Object.entries({ 'webhook-id': 'msg_1', 'webhook-timestamp': `${seconds}`, 'webhook-signature': `v1,${signature}` })), body };
  };
  const verify = (request: ReturnType<typeof signed>) => woocommerce.verifyRequest?.(request, ['other', secret], now);

  expect(verify(signed(secret))).toEqual({ trusted: true });
  expect(verify(signed('a&whsec_MTIz'))).toEqual({ trusted: true });
  expect(verify(signed('a&123'))).toEqual({ trusted: false, code: 'signature.mismatch' });
  expect(verify(signed(secret, now / 1000 - 301))).toEqual({ trusted: false, code: 'signature.expired' });
  expect(verify({ headers: new Map(), body })).toEqual({ trusted: false, code: 'signature.missing' });
});
