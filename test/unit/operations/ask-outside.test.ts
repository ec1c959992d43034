import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import { askOutside } from '../../../src/operations/health/checks/network.ts';

afterEach(() => void vi.useRealTimers());

test('a mail server that hangs needs attention, and is not what can’t be checked', async () => {
  const loaded = loadConfig({ SMTP_URL: 'smtp://127.0.0.1:9' }, { role: 'all', cwd: '/' });
  if (!loaded.ok) throw new Error(loaded.problems.join('; '));
  vi.useFakeTimers();

  const asked = askOutside({ config: loaded.config, mail: () => new Promise(() => undefined) });
  await vi.advanceTimersByTimeAsync(4_900);

  expect(await asked).toMatchObject([{ code: 'mail.down', level: 'attention', words: 'the mail server: no answer within 4000 ms' }]);
});

test('what else a compliance service answers than its time is not waited for', async () => {
  const closed = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.on('close', closed.resolve);
    response.writeHead(404, { date: 'Wed, 01 Jan 2020 00:00:00 GMT' }).write('{');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const loaded = loadConfig({}, { role: 'all', cwd: '/' });
  if (!loaded.ok) throw new Error(loaded.problems.join('; '));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const compliance = { ...loaded.config.compliance, kind: 'remote', baseUrl } as Extract<typeof loaded.config.compliance, { kind: 'remote' }>;
  const began = performance.now();

  const asked = await askOutside({ config: { ...loaded.config, compliance }, mail: () => Promise.reject(new Error('not asked')) });
  await closed.promise;

  // The whole request may take four seconds.
  expect(performance.now() - began).toBeLessThan(3_500);
  expect(asked).toMatchObject([{ code: 'clock.off', subject: 'the compliance API' }]);
  server.close();
});
