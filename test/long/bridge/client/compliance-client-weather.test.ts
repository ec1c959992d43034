import { describe, expect, test } from 'vitest';
import { classify } from '../../../../src/bridge/order/decisions/answer.ts';
import { freePort } from '../../../support/servers/free-port.ts';
import { type Answerer, startTcpServer } from '../../../support/servers/raw-server.ts';
import { answering, clientWith, create, endpointAt, ID, serverThat } from '../../../support/worlds/compliance-client.ts';

describe('a request that can not have arrived', () => {
  test('is not sent: no server listens', async () => {
    const reply = await clientWith().createOrder(endpointAt(`http://127.0.0.1:${await freePort()}`), create);

    expect(reply).toMatchObject({ kind: 'not-sent', error: expect.stringContaining('ECONNREFUSED') });
  });

  test('is not sent: the name does not exist', async () => {
    const reply = await clientWith().createOrder(endpointAt('http://no-such-host.invalid'), create);

    expect(reply).toMatchObject({ kind: 'not-sent' });
  });

  test.for([
    ['answers in plain text', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['resets the handshake', (socket) => socket.once('data', () => socket.resetAndDestroy())],
    ['never shakes hands', () => undefined],
  ] as [string, Parameters<typeof startTcpServer>[0]][])('is not sent: a TLS service %s', async ([, connected]) => {
    await using server = await startTcpServer(connected);

    const reply = await clientWith({ connectMs: 200 }).createOrder(endpointAt(server.url.replace('http:', 'https:')), create);

    expect(reply).toMatchObject({ kind: 'not-sent' });
  });

  test('is tried three times within the time', async () => {
    await using server = await startTcpServer((socket) => socket.resetAndDestroy());

    const reply = await clientWith().createOrder(endpointAt(server.url.replace('http:', 'https:')), create);

    expect(reply).toMatchObject({ kind: 'not-sent' });
    expect(server.connections).toBe(3);
  });

  test('is not sent: the caller had given up before', async () => {
    const server = await serverThat(answering(201, '{}'));

    const reply = await clientWith().createOrder(endpointAt(server.url), create, AbortSignal.abort());

    expect(reply).toMatchObject({ kind: 'not-sent' });
    expect(server.seen).toHaveLength(0);
  });
});

describe('a create whose answer does not come', () => {
  test.for([
    ['hangs before the headers', () => undefined],
    ['hangs in the middle of the body', (response) => response.writeHead(201, { 'content-length': '100' }).write('{"id"')],
    ['drips one byte at a time', (response) => drip(response)],
    ['hangs up', (response) => response.destroy()],
    ['hangs up in the middle of the body', (response) => response.writeHead(201, { 'content-length': '100' }).write('{"id"', () => response.destroy())],
    ['answers nonsense', (response) => response.socket?.end('nonsense\r\n\r\n')],
  ] as [string, Answerer][])('is lost, and not sent again: the service %s', async ([, answer]) => {
    const server = await serverThat(answer);

    const reply = await clientWith({ headersMs: 300, totalMs: 600 }).createOrder(endpointAt(server.url), create);

    expect(reply).toMatchObject({ kind: 'lost' });
    expect(classify('create', reply)).toBe('unknown');
    expect(server.seen).toHaveLength(1);
  });

  test('is lost: a kept connection turns out to be closed', async () => {
    let requests = 0;
    await using server = await startTcpServer((socket) => {
      socket.on('data', () => {
        requests += 1;
        if (requests > 1) return socket.resetAndDestroy();
        return socket.write(`HTTP/1.1 201 Created\r\ncontent-length: 11\r\n\r\n{"id":"abc"}`.replace('11', '12'));
      });
    });
    const client = clientWith();
    expect(await client.createOrder(endpointAt(server.url), create)).toMatchObject({ id: 'abc' });

    const reply = await client.createOrder(endpointAt(server.url), create);

    expect(reply).toMatchObject({ kind: 'lost' });
    expect([server.connections, requests]).toEqual([1, 2]);
  });

  test('is lost: the caller gives up while it waits', async () => {
    const stop = new AbortController();
    const server = await serverThat(() => stop.abort());

    const reply = await clientWith().createOrder(endpointAt(server.url), create, stop.signal);

    expect(reply).toMatchObject({ kind: 'lost' });
  });
});

describe('a delete', () => {
  test.for([500, 502, 408, 302])('is repeated after %i, and ends as the last answer says', async (status) => {
    const server = await serverThat((response, _seen, count) => response.writeHead(count < 3 ? status : 404).end());

    const reply = await clientWith().deleteOrder(endpointAt(server.url), ID);

    expect(classify('delete', reply)).toBe('disbelieved');
    expect(server.seen).toHaveLength(3);
  });

  test('is repeated after a lost answer', async () => {
    const server = await serverThat((response, _seen, count) => (count === 1 ? response.destroy() : response.writeHead(200).end('{}')));

    expect(await clientWith().deleteOrder(endpointAt(server.url), ID)).toMatchObject({ kind: 'answered', status: 200 });
  });

  test.for([401, 403, 409, 422, 429, 503])('stays of unknown outcome if its first answer is lost, and its repeat is answered %i', async (status) => {
    const server = await serverThat((response, _seen, count) => (count === 1 ? response.destroy() : response.writeHead(status).end('{}')));

    const reply = await clientWith().deleteOrder(endpointAt(server.url), ID);

    expect(classify('delete', reply)).toBe('unknown');
    expect(server.seen).toHaveLength(2);
  });

  test.for([200, 404, 401, 429, 503, 422])('is not repeated after %i', async (status) => {
    const server = await serverThat(answering(status));

    await clientWith().deleteOrder(endpointAt(server.url), ID);

    expect(server.seen).toHaveLength(1);
  });

  test('all its tries together keep to the time', async () => {
    const server = await serverThat(() => undefined);
    const began = performance.now();

    const reply = await clientWith({ headersMs: 150, totalMs: 400 }).deleteOrder(endpointAt(server.url), ID);

    expect(reply).toMatchObject({ kind: 'lost' });
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(server.seen.length).toBeGreaterThan(1);
  });
});

describe('the request for a receipt', () => {
  test.for([500, 502, 408, 302])('is repeated after %i, and ends as the last answer says', async (status) => {
    const server = await serverThat((response, _seen, count) => response.writeHead(count < 3 ? status : 200).end('{"id":"receipt-1"}'));

    const reply = await clientWith().createReceipt(endpointAt(server.url), ID);

    expect(classify('receipt', reply)).toBe('receipt-got');
    expect(server.seen).toHaveLength(3);
  });

  test('is repeated after a lost answer', async () => {
    const server = await serverThat((response, _seen, count) => (count === 1 ? response.destroy() : response.writeHead(200).end('{}')));

    expect(await clientWith().createReceipt(endpointAt(server.url), ID)).toMatchObject({ kind: 'answered', status: 200 });
  });

  test.for([401, 403, 409, 422, 429, 503])('stays of unknown outcome if its first answer is lost, and its repeat is answered %i', async (status) => {
    const server = await serverThat((response, _seen, count) => (count === 1 ? response.destroy() : response.writeHead(status).end('{}')));

    const reply = await clientWith().deleteOrder(endpointAt(server.url), ID);

    expect(classify('delete', reply)).toBe('unknown');
    expect(server.seen).toHaveLength(2);
  });

  test.for([200, 404, 401, 429, 503, 422])('is not repeated after %i', async (status) => {
    const server = await serverThat(answering(status));

    await clientWith().createReceipt(endpointAt(server.url), ID);

    expect(server.seen).toHaveLength(1);
  });
});

function drip(response: Parameters<Answerer>[0]): void {
  response.writeHead(201);
  const timer = setInterval(() => response.write(' '), 50);
  response.once('close', () => clearInterval(timer));
}
