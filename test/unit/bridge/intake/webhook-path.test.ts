import { expect, test } from 'vitest';
import { platformIn, webhookPath } from '../../../../src/bridge/intake/webhook-router.ts';

const connection = { platform: 'acme', connectionId: 'c_1', app: null };
const oneApp = { platform: 'acme', connectionId: null, app: null };
const namedApp = { platform: 'acme', connectionId: null, app: 'corner-1' };

test.each([
  ['/acme/c_1', connection],
  ['/acme/c_1/', connection],
  ['/Acme/c_1', connection],
  ['/%61cme/c%5F1', connection],
  ['/acme', oneApp],
  ['/acme/', oneApp],
  ['/acme/app/corner-1', namedApp],
  ['/acme/app/corner-1/', namedApp],
  ['/Acme/App/Corner-1', namedApp],
  ['/acme/%61pp/corner%2D1', namedApp],
  ['/acme/application', { platform: 'acme', connectionId: 'application', app: null }],
])('%s is an address', (path, expected) => {
  expect(webhookPath(path)).toEqual(expected);
});

test.each([
  ...['/', '', '//c_1', '/acme/c_1/more', '/acme/%00', '/acme/%ff', '/acme/c%2F1', `/acme/${'c'.repeat(65)}`],
  ...['/acme/app', '/acme/app/', '/acme/APP', '/acme/app//', '/acme/app/c_1', '/acme/app/-c', '/acme/app/c-', `/acme/app/${'c'.repeat(41)}`],
  ...['/acme/app/%ff', '/acme/app/a/b', '/acme/c_1/app'],
])('%s leads nowhere', (path) => {
  expect(webhookPath(path)).toBeNull();
});

test('the platform is named whatever follows', () => {
  expect(['/Acme/a/b/c', '/%ff/c_1', '/'].map(platformIn)).toEqual(['acme', '', '']);
});
