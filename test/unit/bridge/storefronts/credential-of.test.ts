import { expect, test } from 'vitest';
import { credentialOf } from '../../../../src/bridge/storefronts/credential-of.ts';

const access = { url: 'https://corner.example', accessToken: 't' };

test('a credential is found under the name that its storefront gave it', () => {
  expect(credentialOf(access, 'accessToken')).toBe('t');
});

test.each(['consumerKey', 'constructor'])('a connection that has no %s is like one whose key is refused', (name) => {
  expect(() => credentialOf(access, name)).toThrow(
    expect.objectContaining({ code: 'storefront.refused', message: expect.stringContaining('orderbridge reconnect') }),
  );
});
