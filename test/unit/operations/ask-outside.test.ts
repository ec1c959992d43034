import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import type { Endpoint } from '../../../src/bridge/client/port.ts';
import type { Reply } from '../../../src/bridge/order/decisions/answer.ts';
import { embeddedDialect } from '../../../src/contract/dialect.ts';
import { askOutside } from '../../../src/operations/health/checks/network.ts';
import { outsideWith } from '../../support/samples/outside.ts';
import { sampleConnection } from '../../support/samples/sample-claim.ts';

afterEach(() => void vi.useRealTimers());

type Found = Awaited<ReturnType<typeof askOutside>>[number];
const isWrong = (one: Found) => 'isWrong' in one;

test('a mail server that hangs needs attention, and is not what can’t be checked', async () => {
  vi.useFakeTimers();

  const asked = askOutside(outsideWith({ env: { SMTP_URL: 'smtp://127.0.0.1:9' }, mail: () => new Promise(() => undefined) }));
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
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  // The whole request may take four seconds, which are not over here.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

  const asked = await askOutside(
    outsideWith({ env: { COMPLIANCE_API_URL: baseUrl, COMPLIANCE_AMOUNTS: 'decimal' }, mail: () => Promise.reject(new Error('not asked')) }),
  );
  await closed.promise;

  expect(asked).toMatchObject([{ code: 'clock.off', subject: 'the compliance API' }]);
  server.close();
});

test('one that can’t be asked is a failed check, and hides no other', async () => {
  const provider = { host: 'id.example', check: () => Promise.reject(new Error('broken')) };

  const asked = await askOutside(outsideWith({ env: { PUBLIC_URL: 'http://127.0.0.1:9' }, provider }));

  expect(asked.filter((one) => 'code' in one)).toMatchObject([
    { code: 'public.silent' },
    { code: 'check.failed', level: 'attention', subject: 'network', words: 'network: this could not be checked (broken)' },
  ]);
});

test('a key of a connected store at another service is tried, one that is configured once, and one of our own service is not', async () => {
  const at = (id: string, baseUrl: string | null) => ({ id, baseUrl, credentials: { apiKey: `key ${id}`, apiSecret: 'secret' } });
  const known = [at('own', null), at('other', 'https://other.example'), at('same', 'https://compliance.example')];
  const list = async () => known.map(({ id }) => sampleConnection({ name: `store of ${id}`, destinationId: id }));
  const called: string[] = [];
  const deleteOrder = async ({ baseUrl, apiKey }: Endpoint): Promise<Reply> => {
    called.push(`${baseUrl} ${apiKey}`);
    return { kind: 'answered', status: apiKey === 'key same' ? 404 : 401, id: null, standingId: null, detail: 'who is that?', retryAfterMs: null };
  };
  const endpoint = async (id: string) => ({ apiKey: `key ${id}`, apiSecret: 'secret', baseUrl: 'https://other.example', dialect: embeddedDialect });
  const env = {
    COMPLIANCE_API_URL: 'https://compliance.example',
    COMPLIANCE_AMOUNTS: 'decimal',
    COMPLIANCE_API_KEY: 'key same',
    COMPLIANCE_API_SECRET: 'secret',
  };
  const configured = async () => ({ baseUrl: 'https://compliance.example', apiKey: 'key same', apiSecret: 'secret', dialect: embeddedDialect });
  const keys = { connections: { list }, destinations: { opened: async () => known }, client: { deleteOrder }, endpoint, configured };

  const asked = await askOutside(outsideWith({ env, keys }));

  expect(called.toSorted()).toEqual(['https://compliance.example key same', 'https://other.example key other']);
  expect(asked).toContainEqual({ what: 'compliance API', words: 'https://compliance.example, the configured key: answers, and accepts the key' });
  expect(asked.filter(isWrong)).toMatchObject([
    {
      what: 'compliance API',
      words: expect.stringMatching(/^the key of store of other: https:\/\/other\.example answered 401, expected 404 \(who is that\?\); check the key/),
    },
  ]);
});

test('a service that hangs is called with one key, whatever others it has; the keys of another are tried', async () => {
  const at = (id: string, baseUrl: string) => ({ id, baseUrl, credentials: { apiKey: `key ${id}`, apiSecret: 'secret' } });
  const known = [...Array.from({ length: 30 }, (_, n) => at(`hangs ${n}`, 'https://hangs.example')), at('good', 'https://good.example')];
  const baseUrls = new Map(known.map(({ id, baseUrl }) => [id, baseUrl]));
  const called: string[] = [];
  const deleteOrder = async ({ baseUrl }: Endpoint): Promise<Reply> => {
    called.push(baseUrl);
    if (baseUrl === 'https://hangs.example') return { kind: 'lost', error: 'no answer' };
    return { kind: 'answered', status: 404, id: null, standingId: null, detail: '', retryAfterMs: null };
  };
  const endpoint = async (id: string) => ({ apiKey: id, apiSecret: 'secret', baseUrl: baseUrls.get(id) ?? '', dialect: embeddedDialect });
  const list = async () => known.map(({ id }) => sampleConnection({ name: id, destinationId: id }));
  const configured = async () => ({ apiKey: 'own', apiSecret: 'secret', baseUrl: 'https://good.example', dialect: embeddedDialect });
  const keys = { connections: { list }, destinations: { opened: async () => known }, client: { deleteOrder }, endpoint, configured };

  const asked = await askOutside(outsideWith({ keys }));

  expect(called.toSorted()).toEqual(['https://good.example', 'https://good.example', 'https://hangs.example']);
  expect(asked.filter(isWrong)).toHaveLength(30);
  expect(asked).toContainEqual(expect.objectContaining({ words: 'the key of hangs 29: not tried, since https://hangs.example gave no answer to another key' }));
  expect(asked).toContainEqual({ what: 'compliance API', words: 'https://good.example, the key of good: answers, and accepts the key' });
});

test('keys for which there is no time are reported as not tried, not as refused', async () => {
  const nobody = () => Promise.reject(new Error('not called'));
  const keys = {
    connections: { list: async () => [] },
    destinations: { opened: async () => [] },
    client: { deleteOrder: nobody },
    endpoint: nobody,
    configured: nobody,
  };

  const asked = await askOutside(outsideWith({ keys }), AbortSignal.abort());

  expect(asked.filter((one) => 'code' in one)).toMatchObject([
    { code: 'check.failed', level: 'attention', words: 'network: 1 of 1 keys of compliance services were not tried within 60 s' },
  ]);
});
