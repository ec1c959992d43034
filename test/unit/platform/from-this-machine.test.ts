import { expect, test } from 'vitest';
import { isFromThisMachine } from '../../../src/platform/http/request-origin.ts';

type Asked = { from?: string | undefined; host?: string | undefined; headers?: Record<string, string>; httpVersion?: string };

function isNear({ headers = {}, httpVersion = '1.1', ...asked }: Asked): boolean {
  const { from, host } = { from: '127.0.0.1', host: 'localhost:3000', ...asked };
  const socket: { remoteAddress: string | undefined } = { remoteAddress: from };
  // @ts-expect-error Of a socket its address alone is looked at.
  return isFromThisMachine({ socket, httpVersion, headers: { ...(host === undefined ? {} : { host }), ...headers } });
}

test.each<Asked>([
  {},
  { host: 'LOCALHOST' },
  { host: '127.0.0.1:3000' },
  { host: '[::1]:3000', from: '::1' },
  { from: '::ffff:127.0.0.1' },
  { headers: { cookie: 'a=b', 'x-request-id': '1' } },
  { headers: { origin: 'http://localhost:3000' } },
  { headers: { origin: 'null' } },
])('somebody at this machine: %j', (asked) => {
  expect(isNear(asked)).toBe(true);
});

test.each<Asked>([
  { from: '192.168.1.7' },
  { from: '::ffff:10.0.0.1' },
  { from: '::2' },
  { from: undefined },
  { host: 'demo.example' },
  { host: 'localhost.evil.example' },
  { host: '127.0.0.1.evil.example' },
  { host: 'localhost:3000@evil.example' },
  { host: undefined },
  { headers: { 'x-forwarded-for': '127.0.0.1' } },
  { headers: { 'x-forwarded-host': 'localhost' } },
  { headers: { forwarded: 'for=127.0.0.1' } },
  { headers: { via: '1.1 proxy' } },
  { headers: { origin: 'https://demo.example' } },
  { httpVersion: '1.0' },
])('somebody elsewhere, or by a proxy: %j', (asked) => {
  expect(isNear(asked)).toBe(false);
});
