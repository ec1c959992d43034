import { expect, test } from 'vitest';
import { hmac, hmacMatches } from '../../../../src/bridge/storefronts/hmac.ts';

// RFC 4231, test case 2.
const rfc = { key: 'Jefe', text: 'what do ya want for nothing?', hex: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' };
const claims = [Buffer.from(rfc.hex, 'hex').toString('base64')];

test('the digest is the one of RFC 4231, in one part or several', () => {
  expect(hmac(rfc.key, [rfc.text]).toString('hex')).toBe(rfc.hex);
  expect(hmac(Buffer.from(rfc.key), ['what do ya ', Buffer.from('want for nothing?')]).toString('hex')).toBe(rfc.hex);
});

test('any live key is enough, at any place in the list, and any claim', () => {
  expect(hmacMatches({ claims, keys: [rfc.key, 'old'], parts: [rfc.text] })).toBe(true);
  expect(hmacMatches({ claims, keys: ['old', rfc.key], parts: [rfc.text] })).toBe(true);
  expect(hmacMatches({ claims: ['AAAA', ...claims, 'BBBB'], keys: ['old', rfc.key], parts: [rfc.text] })).toBe(true);
});

test.each([
  ['no key', { claims, keys: [], parts: [rfc.text] }],
  ['foreign keys', { claims, keys: ['old', 'new'], parts: [rfc.text] }],
  ['another body', { claims, keys: [rfc.key], parts: [`${rfc.text} `] }],
  ['a digest cut short', { claims: claims.map((claim) => claim.slice(0, 20)), keys: [rfc.key], parts: [rfc.text] }],
  ['hex instead of base64', { claims: [rfc.hex], keys: [rfc.key], parts: [rfc.text] }],
  ['nothing claimed', { claims: [''], keys: [rfc.key], parts: [rfc.text] }],
  ['no claim', { claims: [], keys: [rfc.key], parts: [rfc.text] }],
  ['the right claim among more than ten', { claims: [...claims, ...Array(10).fill('AAAA')], keys: [rfc.key], parts: [rfc.text] }],
])('%s does not match', (_what, claim) => {
  expect(hmacMatches(claim)).toBe(false);
});
