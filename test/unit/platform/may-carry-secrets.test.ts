import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { insecureWords, mayCarrySecrets } from '../../../src/platform/may-carry-secrets.ts';

const trusted = ['compliance', 'mail.internal', '[2001:db8::5]', '203.0.113.7'];

test.for([
  'https://api.example',
  'smtps://user:password@mail.example',
  'http://localhost:3000',
  'http://LOCALHOST.:3000',
  'http://shop.localhost',
  'http://127.0.0.1:4810/x',
  'http://2130706433',
  'http://0x7f.1',
  'http://[::1]:3000',
  'http://[::ffff:10.0.0.1]',
  'http://10.1.2.3',
  'http://172.31.255.255',
  'http://192.168.0.9',
  'http://169.254.1.1',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://compliance:3000',
  'http://Compliance.:3000',
  'http://[2001:db8::5]:8080',
  'http://203.0.113.7',
  'smtp://127.0.0.1:1025',
  'smtp://[::1]:1025',
  'smtp://localhost',
  'smtp://Mail.Internal:25',
])('keys may go to %s', (address) => {
  expect(mayCarrySecrets(address, trusted)).toBe(true);
  expect(insecureWords(address, trusted)).toBeNull();
});

test.for([
  'http://api.example',
  'http://api.example:443',
  'http://compliance.example',
  'http://redis:3000',
  'http://notlocalhost',
  'http://localhost.example',
  'http://127.0.0.1.example',
  'http://8.8.8.8',
  'http://172.32.0.1',
  'http://100.64.0.1',
  'http://192.88.99.1',
  'http://[::ffff:8.8.8.8]',
  'http://[64:ff9b::a00:1]',
  'http://[2002:a00:1::]',
  'http://[2001:4860:4860::8888]',
  'http://localhost@api.example',
  'smtp://mail.example:587',
  'smtp://user:password@mail.example',
  'ftp://api.example',
  'no address',
])('keys may not go to %s', (address) => {
  expect(mayCarrySecrets(address, trusted)).toBe(false);
  expect(insecureWords(address, trusted)).toContain('TRUSTED_HTTP_HOSTS');
});

test('the words name the host alone, without a password', () => {
  expect(insecureWords('smtp://user:hunter2@mail.example', [])).not.toContain('hunter2');
});

test('keys may go to an address of this machine, which need not be a private one: the embedded service may listen there', () => {
  const own = () => ['203.0.113.5', '2001:db8::9'];

  expect(mayCarrySecrets('http://203.0.113.5:3000', [], own)).toBe(true);
  expect(mayCarrySecrets('http://[2001:db8::9]:3000', [], own)).toBe(true);
  expect(mayCarrySecrets('http://203.0.113.6:3000', [], own)).toBe(false);
});

test('where the system does not say which addresses this machine has, none counts as its own', () => {
  const { networkInterfaces } = os;
  onTestFinished(() => {
    os.networkInterfaces = networkInterfaces;
    syncBuiltinESMExports();
  });
  os.networkInterfaces = () => {
    throw Object.assign(new Error('uv_interface_addresses returned Unknown system error 97'), { code: 'ERR_SYSTEM_ERROR' });
  };
  syncBuiltinESMExports();

  expect(mayCarrySecrets('smtp://user:password@mail.example:587', [])).toBe(false);
  expect(insecureWords('http://compliance', [])).toContain('TRUSTED_HTTP_HOSTS');
});
