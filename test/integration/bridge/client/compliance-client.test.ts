import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { classify } from '../../../../src/bridge/order/decisions/answer.ts';
import { freePort } from '../../../support/servers/free-port.ts';
import type { Answerer } from '../../../support/servers/raw-server.ts';
import { answering, clientWith, create, endpointAt, ID, ORDER, serverThat } from '../../../support/worlds/compliance-client.ts';

describe('a request', () => {
  test('a create carries the exact bytes, signed, with key and idempotency key', async () => {
    const server = await serverThat(answering(201, JSON.stringify({ id: ID })));

    const reply = await clientWith().createOrder(endpointAt(server.url), create);

    expect(reply).toEqual({ kind: 'answered', status: 201, id: ID, standingId: null, detail: '', retryAfterMs: null });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: 'POST', path: '/public-api/v1/order', body: ORDER });
    expect(seen?.headers).toMatchObject({
      'x-api-key': 'the-key',
      'x-signature': createHmac('sha256', 'the-secret').update(ORDER).digest('hex'),
      'idempotency-key': 'order-7-1',
      'content-type': 'application/json',
    });
  });

  test('a delete signs the empty string, in the algorithm and encoding of the dialect', async () => {
    const server = await serverThat(answering(200, '{}'));

    await clientWith().deleteOrder(endpointAt(server.url, { signatureAlgorithm: 'sha512', signatureEncoding: 'base64' }), ID);

    expect(server.seen[0]).toMatchObject({ method: 'DELETE', path: `/public-api/v1/order/${ID}`, body: '' });
    expect(server.seen[0]?.headers['x-signature']).toBe(createHmac('sha512', 'the-secret').update('').digest('base64'));
  });

  test('a delete is not signed where the dialect omits it', async () => {
    const server = await serverThat(answering(200, '{}'));

    await clientWith().deleteOrder(endpointAt(server.url, { signatureEmptyBody: 'omit' }), ID);

    expect(server.seen[0]?.headers).not.toHaveProperty('x-signature');
    expect(server.seen[0]?.headers).toHaveProperty('x-api-key', 'the-key');
  });

  test('the request for a receipt has no body, and signs the empty string', async () => {
    const server = await serverThat(answering(200, JSON.stringify({ id: 'receipt-1', orderId: ID })));

    const reply = await clientWith().createReceipt(endpointAt(server.url), ID);

    expect(reply).toMatchObject({ kind: 'answered', status: 200, id: 'receipt-1' });
    expect(server.seen[0]).toMatchObject({ method: 'POST', path: `/public-api/v1/order/${ID}/receipt`, body: '' });
    expect(server.seen[0]?.headers['x-signature']).toBe(createHmac('sha256', 'the-secret').update('').digest('hex'));
    expect(server.seen[0]?.headers).not.toHaveProperty('content-type');
  });

  test('the request for a receipt is not signed where the dialect omits it', async () => {
    const server = await serverThat(answering(200, '{}'));

    await clientWith().createReceipt(endpointAt(server.url, { signatureEmptyBody: 'omit' }), ID);

    expect(server.seen[0]?.headers).not.toHaveProperty('x-signature');
    expect(server.seen[0]?.headers).toHaveProperty('x-api-key', 'the-key');
  });

  test('connections are kept', async () => {
    const server = await serverThat(answering(201, JSON.stringify({ id: ID })));
    const client = clientWith();

    for (let call = 0; call < 5; call += 1) await client.createOrder(endpointAt(server.url), create);

    expect(server.connections).toBe(1);
  });
});

describe('an answer', () => {
  test.for([
    ['an id that is not text', 201, '{"id":7}', null, 'unknown'],
    ['an empty id', 201, '{"id":""}', null, 'unknown'],
    ['no body', 204, '', null, 'unknown'],
    ['a page', 200, '<html>welcome</html>', null, 'unknown'],
    ['an id', 200, `{"id":"${ID}"}`, ID, 'recorded'],
    ['an id beside a refusal', 422, `{"id":"${ID}"}`, null, 'refused'],
    ['a redirect', 302, '', null, 'unknown'],
    ['a bad gateway', 502, '<html>Bad Gateway</html>', null, 'unknown'],
    ['a request time-out', 408, '', null, 'unknown'],
  ] as const)('to a create with %s (%i) is read', async ([, status, body, id, outcome]) => {
    const server = await serverThat(answering(status, body, { location: '/elsewhere' }));

    const reply = await clientWith().createOrder(endpointAt(server.url), create);

    expect(reply).toMatchObject({ kind: 'answered', status, id });
    expect(classify('create', reply)).toBe(outcome);
    expect(server.seen).toHaveLength(1);
  });

  test('that refuses is given in the service’s words, without the buyer', async () => {
    const problem = {
      title: 'Invalid order',
      detail: 'ana@example.com, +359 88 812 3456 of 2026-11-21',
      errors: [{ path: 'lineItems.0.vatGroup', message: 'is unknown' }],
    };
    const server = await serverThat(answering(422, JSON.stringify(problem)));

    const reply = await clientWith().createOrder(endpointAt(server.url), create);

    expect(reply).toMatchObject({ detail: '422 Invalid order; [e-mail], [number] of 2026-11-21; lineItems.0.vatGroup: is unknown' });
  });

  test.for(['<', '<a', 'a', 'a.', '000-\t\t', '0 0-', '+0', ' '])('of a megabyte of %j is read in well under a second', async (shape) => {
    const server = await serverThat(answering(502, `${shape.repeat(1_000_000 / shape.length)}!`));
    const before = process.cpuUsage();

    expect(await clientWith().createOrder(endpointAt(server.url), create)).toMatchObject({ status: 502 });

    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  test.for([
    ['a page', (said: string) => said],
    ['a problem', (said: string) => JSON.stringify({ title: said })],
  ] as const)('that is %s which is cut within an address or a number keeps no half of it', async ([, written]) => {
    const words = 'maria.petrova@example.com +359 88 812 3456 ';
    for (let place = 19_960; place <= 20_000; place += 4) {
      const server = await serverThat(answering(502, written(`Bad gateway${' '.repeat(place - 11)}${words.repeat(2)}`)));

      const reply = await clientWith().createOrder(endpointAt(server.url), create);

      expect(reply).not.toMatchObject({ detail: expect.stringMatching(/m|@|\d{2} |\+/) });
    }
  });

  test.for(['id', 'standingId', 'existingId', 'orderId'])('409 names the current record as %s', async (key) => {
    const server = await serverThat(answering(409, JSON.stringify({ title: 'Conflict', [key]: ID })));

    const reply = await clientWith().createOrder(endpointAt(server.url), create);

    expect(reply).toMatchObject({ status: 409, id: null, standingId: ID });
  });

  test.for([
    ['7', 7_000],
    ['999999999', 3_600_000],
    ['Sat, 21 Nov 2015 03:00:00 GMT', 0],
    ['soon', null],
  ] as const)('with Retry-After %s is waited for', async ([header, expected]) => {
    const server = await serverThat(answering(503, '', { 'retry-after': header }));

    const reply = await clientWith().createOrder(endpointAt(server.url), create);

    expect(reply).toMatchObject({ status: 503, retryAfterMs: expected });
  });

  test('that is compressed is decompressed', async () => {
    const server = await serverThat((response) => response.writeHead(201, { 'content-encoding': 'gzip' }).end(gzipSync(JSON.stringify({ id: ID }))));

    expect(await clientWith().createOrder(endpointAt(server.url), create)).toMatchObject({ status: 201, id: ID });
  });

  test.for([
    ['large', (response) => response.writeHead(201).end(Buffer.alloc(3_000_000, 'x'))],
    ['large once unpacked', (response) => response.writeHead(201, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(50_000_000)))],
    ['packed and broken', (response) => response.writeHead(201, { 'content-encoding': 'gzip' }).end('no')],
  ] as [string, Answerer][])('that is %s is lost', async ([, answer]) => {
    const server = await serverThat(answer);

    expect(await clientWith().createOrder(endpointAt(server.url), create)).toMatchObject({ kind: 'lost' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('shop operations', () => {
  test('give the status and the parsed body, and sign what they send', async () => {
    const server = await serverThat(answering(200, '{"deleted":true}'));

    const answer = await clientWith().shop(endpointAt(server.url), { method: 'DELETE', id: ID, body: { name: 'Corner' } });

    expect(answer).toEqual({ status: 200, body: { deleted: true } });
    expect(server.seen[0]).toMatchObject({ method: 'DELETE', path: `/public-api/v1/shop/${ID}`, body: '{"name":"Corner"}' });
    expect(server.seen[0]?.headers['x-signature']).toBe(createHmac('sha256', 'the-secret').update('{"name":"Corner"}').digest('hex'));
  });

  test('without an answer fail in words that contain neither key nor secret', async () => {
    const calling = clientWith().shop(endpointAt(`http://127.0.0.1:${await freePort()}`), { method: 'POST', body: {} });

    const failure = await calling.catch((thrown: unknown) => thrown);

    expect(failure).toMatchObject({ code: 'compliance.unreachable', message: expect.stringContaining('check COMPLIANCE_API_URL'), cause: undefined });
  });
});
