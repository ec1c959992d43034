import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpApp } from '../../../src/platform/http/http-app.ts';

test('D19: an unknown address is answered as a problem, like those of the interfaces', async () => {
  const server = createServer(createHttpApp({ routes: [], isStopping: () => false, onError: () => undefined })).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;

  const response = await fetch(`http://127.0.0.1:${port}/public-api/v2/order`, { method: 'POST' });

  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 404,
    body: { type: 'about:blank', title: 'Not Found', status: 404, code: 'not-found', detail: 'There is nothing at this address.' },
  });
});
