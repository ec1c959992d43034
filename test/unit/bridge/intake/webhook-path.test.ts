import { expect, test } from 'vitest';
import { platformIn, webhookPath } from '../../../../src/bridge/intake/webhook-path.ts';

test.each([
  ['/acme/c_1', { platform: 'acme', connectionId: 'c_1' }],
  ['/acme/c_1/', { platform: 'acme', connectionId: 'c_1' }],
  ['/Acme/c_1', { platform: 'acme', connectionId: 'c_1' }],
  ['/%61cme/c%5F1', { platform: 'acme', connectionId: 'c_1' }],
  ['/acme', { platform: 'acme', connectionId: null }],
  ['/acme/', { platform: 'acme', connectionId: null }],
])('%s is an address', (path, expected) => {
  expect(webhookPath(path)).toEqual(expected);
});

test.each(['/', '', '//c_1', '/acme/c_1/more', '/acme/%00', '/acme/%ff', '/acme/c%2F1', `/acme/${'c'.repeat(65)}`])('%s leads nowhere', (path) => {
  expect(webhookPath(path)).toBeNull();
});

test('the platform is named whatever follows', () => {
  expect(['/Acme/a/b/c', '/%ff/c_1', '/'].map(platformIn)).toEqual(['acme', '', '']);
});
