import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Router } from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpApp } from '../../../src/platform/http/http-app.ts';

async function serve(router: Router = Router(), isHttps = false): Promise<number> {
  const app = createHttpApp({ routes: [{ path: '/', router }], isHttps, isStopping: () => false, onError: () => undefined });
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('D19: an unknown address is answered as a problem, like those of the interfaces', async () => {
  const response = await fetch(`http://127.0.0.1:${await serve()}/public-api/v2/order`, { method: 'POST' });

  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 404,
    body: { type: 'about:blank', title: 'Not Found', status: 404, code: 'not-found', detail: 'There is nothing at this address.' },
  });
});

test.each(['/gone', '/broken', '/known'])(
  'whatever is answered at %s is kept nowhere, runs nothing, is in no frame, and its address goes nowhere',
  async (path) => {
    const router = Router();
    router.get('/known', (_request, response) => void response.json({}));
    router.get('/broken', () => {
      throw new Error('broken');
    });

    const { headers } = await fetch(`http://127.0.0.1:${await serve(router)}${path}`);

    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'content-type': expect.stringContaining('charset=utf-8'),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  },
);

test('browsers keep to https for a year where the public address is https, and only there', async () => {
  const kept = async (isHttps: boolean) => (await fetch(`http://127.0.0.1:${await serve(Router(), isHttps)}/`)).headers.get('strict-transport-security');

  expect([await kept(true), await kept(false)]).toEqual(['max-age=31536000', null]);
});

test('TRACE repeats nothing', async () => {
  const asked = request({ port: await serve(), host: '127.0.0.1', method: 'TRACE', path: '/', headers: { cookie: 'secret' } }).end();
  const [answer] = await once(asked, 'response');

  expect(answer.statusCode).toBe(404);
  expect(await text(answer)).not.toContain('secret');
});

test.each([
  ['two lengths', 'Content-Length: 4\r\nContent-Length: 5'],
  ['a length beside chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
])('a request with %s is refused: nobody else could say where it ends', async (_what, lines) => {
  const socket = connect(await serve(), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.end(`POST / HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n0\r\n\r\n`);

  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
});
