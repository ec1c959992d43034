import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../../../../src/bridge/storefronts/contract.ts';
import { standard } from '../../../../../src/bridge/storefronts/standard/standard.ts';
import { keyOf } from '../../../../../src/contract/standard-webhook.ts';

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';
const sentAt = new Date('2026-11-21T12:00:00Z');
const body = '{"type":"order.paid"}';

/** A delivery signed by the reference library. */
function signed({ by = secret, at = sentAt, id = 'msg_1', bytes = Buffer.from(body) } = {}): Delivery {
  const signature = new Webhook(by).sign(id, at, bytes.toString());
  return delivery({ 'webhook-id': id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signature }, bytes);
}

function delivery(headers: Record<string, string>, bytes = Buffer.from(body)): Delivery {
  return { headers: new Map(Object.entries(headers)), body: bytes };
}

function withHeader({ headers, body: bytes }: Delivery, name: string, value: string): Delivery {
  return { headers: new Map([...headers, [name, value]]), body: bytes };
}

const verify = (given: Delivery, secrets = [secret], now = sentAt.getTime()) => standard.verify(given, secrets, now);
const signatureOf = ({ headers }: Delivery) => headers.get('webhook-signature') ?? '';

const mismatch = { trusted: false, code: 'signature.mismatch' };

describe('against the reference library', () => {
  test('everything that it signs is trusted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.uint8Array({ minLength: 24, maxLength: 64 }), (text, key) => {
        const by = `whsec_${Buffer.from(key).toString('base64')}`;
        expect(verify(signed({ by, bytes: Buffer.from(text) }), [by])).toEqual({ trusted: true });
      }),
    );
  });

  test('everything that is trusted here, it trusts, too', () => {
    const now = new Date();
    const given = signed({ at: now });

    expect(verify(given, [secret], now.getTime())).toEqual({ trusted: true });
    expect(new Webhook(secret).verify(body, Object.fromEntries(given.headers))).toEqual({ type: 'order.paid' });
  });
});

describe('signatures', () => {
  const other = `whsec_${randomBytes(32).toString('base64')}`;

  test('any one of several is enough, at any place', () => {
    const [own, foreign] = [signatureOf(signed()), signatureOf(signed({ by: other }))];

    expect(verify(withHeader(signed(), 'webhook-signature', `${foreign} ${own}`))).toEqual({ trusted: true });
    expect(verify(withHeader(signed(), 'webhook-signature', `${own} ${foreign}`))).toEqual({ trusted: true });
  });

  test('of other versions are skipped', () => {
    const own = signatureOf(signed());

    expect(verify(withHeader(signed(), 'webhook-signature', `v1a,abc v2,${own.slice(3)} ${own}`))).toEqual({ trusted: true });
    expect(verify(withHeader(signed(), 'webhook-signature', `v2,${own.slice(3)}`))).toEqual(mismatch);
    expect(verify(withHeader(signed(), 'webhook-signature', own.slice(3)))).toEqual(mismatch);
    expect(verify(withHeader(signed(), 'webhook-signature', 'v1,'))).toEqual(mismatch);
  });

  test.each([
    ['webhook-id', 'msg_2'],
    ['webhook-timestamp', String(sentAt.getTime() / 1000 + 1)],
  ])('cover %s', (name, value) => {
    expect(verify(withHeader(signed(), name, value))).toEqual(mismatch);
  });

  test('do not verify by a secret that is none', () => {
    expect(verify(signed(), ['whsec_short', '', secret])).toEqual({ trusted: true });
    expect(verify(signed(), ['whsec_short', ''])).toEqual(mismatch);
  });
});

describe('the timestamp', () => {
  const minutes = (count: number) => sentAt.getTime() + count * 60_000;

  test.each([-5, 0, 5])('may be %i minutes off', (off) => {
    expect(verify(signed(), [secret], minutes(off))).toEqual({ trusted: true });
  });

  test.each([-5.01, 5.01, 60])('of %d minutes off is expired', (off) => {
    expect(verify(signed(), [secret], minutes(off))).toEqual({ trusted: false, code: 'signature.expired' });
  });

  test('is not disclosed to a sender that can’t sign: a wrong signature is a mismatch at any time', () => {
    expect(verify(withHeader(signed(), 'webhook-signature', 'v1,AAAA'), [secret], minutes(60))).toEqual(mismatch);
  });

  test.each(['soon', '1e3', '-1', '1'.repeat(13)])('%s is none, even signed', (timestamp) => {
    const key = keyOf(secret) ?? '';
    const signature = createHmac('sha256', key).update(`msg_1.${timestamp}.${body}`).digest('base64');

    expect(verify(delivery({ 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }))).toEqual(mismatch);
  });
});

describe('the secret', () => {
  const bytes = (count: number) => randomBytes(count).toString('base64');

  test.each([`whsec_${bytes(24)}`, `whsec_${bytes(64)}`, bytes(24), bytes(32), `whsec_${bytes(32).replace(/=+$/, '')}`])('%s is fine', (given) => {
    expect(standard.secretProblem(given)).toBeNull();
    expect(keyOf(given)?.length).toBeGreaterThanOrEqual(24);
  });

  test.each([
    ['', /not whsec_ followed by base64.*openssl rand -base64 32/],
    ['whsec_', /not whsec_ followed by base64/],
    ['whsec_not base64!', /not whsec_ followed by base64/],
    [`whsec_${Buffer.alloc(32, 0xff).toString('base64url')}`, /not whsec_ followed by base64/],
    [`whsec_${bytes(23)}`, /decodes to 23 bytes; it must have 24 to 64/],
    [bytes(65), /decodes to 65 bytes/],
    [`whsk_${bytes(32)}`, /Asymmetric keys .* not supported/],
    [`whpk_${bytes(32)}`, /Asymmetric keys/],
  ])('%s is refused in words that say what to do', (given, words) => {
    expect(standard.secretProblem(given)).toMatch(words);
    expect(standard.secretProblem(given)).not.toContain(given.slice(6) || '?');
    expect(keyOf(given)).toBeNull();
  });
});

test('the envelope has the id of the message; the body has the rest', () => {
  expect(standard.envelope(new Map([['webhook-id', 'msg_1']]))).toEqual({ topic: '', deliveryId: 'msg_1', store: null });
  expect(standard.envelope(new Map())).toEqual({ topic: '', deliveryId: null, store: null });
});
