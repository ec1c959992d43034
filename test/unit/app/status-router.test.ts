import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { statusRouter } from '../../../src/app/ops/status-router.ts';
import type { HealthStatus } from '../../../src/operations/health/health-status.ts';
import { createHttpApp } from '../../../src/platform/http/http-app.ts';

const at = '2026-11-29T12:00:00.000Z';
const check = {
  code: 'orders.need-review',
  level: 'attention',
  subject: 'shop-of-ivanka',
  count: 41,
  total: '12.00',
  since: at,
  words: 'words',
  verb: 'review',
};
const health = { health: 'attention', at, failedChecks: [check] } as unknown as HealthStatus;

async function ask(inside: boolean, headers: Record<string, string>): Promise<{ json: unknown; page: string }> {
  const router = statusRouter(async () => health, { inside });
  const server = createServer(createHttpApp({ routes: [{ path: '/', router }], isStopping: () => false, onError: () => undefined }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const told = { json: await (await get('/status.json')).json(), page: await (await get('/status')).text() };
  server.closeAllConnections();
  server.close();
  return told;
}

const stranger = { 'x-forwarded-for': '203.0.113.7' };

test('a stranger learns the word alone', async () => {
  const { json, page } = await ask(false, stranger);

  expect(json).toEqual({ health: 'attention', at });
  expect(page).toContain('Something needs attention');
  expect(page).not.toMatch(/need-review|41/);
});

test.each([
  ['at this machine', false, {}],
  ['where strangers can’t', true, stranger],
])('who asks %s learns what is wrong, without names', async (_where, inside, headers) => {
  const { json, page } = await ask(inside, headers);

  expect(json).toMatchObject({ health: 'attention', failedChecks: [{ code: 'orders.need-review', count: 41 }] });
  expect(page).toContain('orders.need-review');
  expect(JSON.stringify(json) + page).not.toContain('ivanka');
});
