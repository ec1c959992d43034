import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exchange, openAgents } from '../../../../src/bridge/client/signed-call.ts';
import { startTcpServer } from '../../../support/servers/raw-server.ts';
import { startSelfSigned } from '../../../support/servers/self-signed.ts';
import { answering, clientWith, create, endpointAt, ID, serverThat } from '../../../support/worlds/compliance-client.ts';

const RECORDED = JSON.stringify({ id: ID });
const ANSWER = `HTTP/1.1 201 Created\r\ncontent-length: ${RECORDED.length}\r\n\r\n${RECORDED}`;

const outgoing = { method: 'POST', headers: {}, body: '{}', timeouts: { connectMs: 5_000, headersMs: 5_000, totalMs: 5_000 }, mostBytes: 1_000 };

/** A server on bare TCP that does this with each request that has come whole; `count` is 1 for the first. */
async function rawServer(answer: (socket: Socket, count: number) => void) {
  const requests: string[] = [];
  const server = await startTcpServer((socket) => {
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body === undefined || body.length < length) return;
      requests.push(Buffer.from(text, 'latin1').toString());
      text = '';
      answer(socket, requests.length);
    });
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { url: server.url, requests, connections: () => server.connections };
}

describe('what comes before or beside an answer does not hide it', () => {
  test.for([
    ['100 Continue, which nobody waits for', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['several of them', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
    ['early hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n'],
  ])('%s', async ([, before]) => {
    const { url, requests } = await rawServer((socket) => socket.write(`${before}${ANSWER}`));
    const client = clientWith();

    for (let call = 0; call < 2; call += 1) expect(await client.createOrder(endpointAt(url), create)).toMatchObject({ kind: 'answered', status: 201, id: ID });
    expect(requests).toHaveLength(2);
  });

  test('the offer of another protocol', async () => {
    const server = await serverThat(answering(201, RECORDED, { upgrade: 'h2,h2c', connection: 'Upgrade, Keep-Alive' }));

    expect(await clientWith().createOrder(endpointAt(server.url), create)).toMatchObject({ kind: 'answered', status: 201, id: ID });
  });
});

describe('a create is lost, and was sent once', () => {
  test.for([
    ['a head without end', (socket) => socket.write(`HTTP/1.1 201 Created\r\nx-long: ${'x'.repeat(100_000)}\r\n\r\n`)],
    ['half a head', (socket) => socket.end('HTTP/1.1 201 Cre')],
    ['half a chunk', (socket) => socket.end('HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\nff\r\n{"id"')],
    ['a switch of protocols', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n')],
    ['a closed connection', (socket) => socket.end()],
    ['a reset', (socket) => socket.resetAndDestroy()],
  ] as [string, (socket: Socket) => void][])('after %s', async ([, answer]) => {
    const { url, requests } = await rawServer(answer);

    const reply = await clientWith({ headersMs: 3_000 }).createOrder(endpointAt(url), create);

    expect(reply).toMatchObject({ kind: 'lost', error: expect.stringMatching(/./) });
    expect(requests).toHaveLength(1);
  });

  test('after a request on a kept connection that the service closes instead of answering', async () => {
    const { url, requests, connections } = await rawServer((socket, count) => (count === 1 ? socket.write(ANSWER) : socket.end()));
    const client = clientWith();
    await client.createOrder(endpointAt(url), create);

    expect(await client.createOrder(endpointAt(url), create)).toMatchObject({ kind: 'lost' });
    expect([connections(), requests.length]).toEqual([1, 2]);
  });
});

test('a service that closes idle connections just when they are used gets no create twice, and each that is said not to have been sent never came', async () => {
  const { url, requests } = await rawServer((socket, count) => socket.write(ANSWER, () => setTimeout(() => socket.end(), count % 4)));
  const client = clientWith();
  const kinds = new Map<string, string>();

  for (let call = 0; call < 200; call += 1) {
    const { kind } = await client.createOrder(endpointAt(url), { body: '{}', idempotencyKey: `key-${call}-` });
    kinds.set(`key-${call}-`, kind);
    await sleep(call % 5);
  }

  const came = (key: string) => requests.filter((request) => request.includes(key)).length;
  for (const [key, kind] of kinds) {
    expect([key, came(key)]).toEqual([key, kind === 'answered' ? 1 : kind === 'not-sent' ? 0 : expect.toSatisfy((count: number) => count <= 1)]);
  }
  expect([...kinds.values()]).toContain('answered');
});

describe('a request that waits for a connection', () => {
  /** One connection alone, which is taken by a request that is not answered. */
  async function taken() {
    const { url, requests } = await rawServer(() => undefined);
    const agents = openAgents();
    onTestFinished(() => agents[Symbol.dispose]());
    agents.http.maxSockets = 1;
    const first = exchange(agents, { ...outgoing, url }).catch((error: unknown) => error);
    return { agents, url, requests, first };
  }

  test('is not sent when its time is over', async () => {
    const { agents, url, requests, first } = await taken();

    const second = exchange(agents, { ...outgoing, url, timeouts: { ...outgoing.timeouts, totalMs: 100 } });

    await expect(second).rejects.toMatchObject({ code: 'ETIMEDOUT', message: "Timeout awaiting 'request' for 100ms", mayHaveLeft: false });
    expect(await first).toMatchObject({ mayHaveLeft: true });
    expect(requests).toHaveLength(1);
  });

  test('is not sent when its caller gives up', async () => {
    const { agents, url, requests, first } = await taken();
    const stop = new AbortController();

    const second = exchange(agents, { ...outgoing, url, signal: stop.signal });
    stop.abort();

    await expect(second).rejects.toMatchObject({ code: 'ERR_ABORTED', mayHaveLeft: false });
    await first;
    expect(requests).toHaveLength(1);
  });
});

describe('over TLS', () => {
  test('nothing is sent to a service with a certificate that is not trusted', async () => {
    await using server = await startSelfSigned();

    const reply = await clientWith().createOrder(endpointAt(server.url), create);

    expect(reply).toMatchObject({ kind: 'not-sent', error: expect.stringContaining('DEPTH_ZERO_SELF_SIGNED_CERT') });
    expect(server.requests).toBe(0);
  });

  test('connections are kept, and what went over one that the service closes may have left', async () => {
    await using server = await startSelfSigned((response, count) => (count < 4 ? response.end('{}') : response.destroy()));
    const agents = openAgents();
    onTestFinished(() => agents[Symbol.dispose]());
    agents.https.options.rejectUnauthorized = false;
    const call = () => exchange(agents, { ...outgoing, url: server.url });

    for (let count = 0; count < 3; count += 1) expect((await call()).body.toString()).toBe('{}');
    expect(Object.values(agents.https.freeSockets).flat()).toHaveLength(1);

    await expect(call()).rejects.toMatchObject({ mayHaveLeft: true });
    expect(server.requests).toBe(4);
  });
});

test.for(['not an address', 'ftp://127.0.0.1'])('nothing is sent to %j', async (address) => {
  expect(await clientWith().createOrder(endpointAt(address), create)).toMatchObject({ kind: 'not-sent' });
});

test('a name none of whose addresses answers is said in words', async () => {
  await using server = await startTcpServer(() => undefined);
  const { port } = new URL(server.url);
  await server[Symbol.asyncDispose]();

  const reply = await clientWith().createOrder(endpointAt(`http://localhost:${port}`), create);

  expect(reply).toMatchObject({ kind: 'not-sent', error: expect.stringMatching(/^ECONNREFUSED: .*ECONNREFUSED/) });
});

test('the body of a delete is sent whole', async () => {
  const { url, requests } = await rawServer((socket) => socket.write(ANSWER));

  await clientWith().shop(endpointAt(url), { method: 'DELETE', id: ID, body: { name: 'Ъгъл' } });

  expect(requests[0]).toMatch(/content-length: 19\r\n/i);
  expect(requests[0]).toContain('{"name":"Ъгъл"}');
});

test('the calls of a client do not heap up listeners on a connection or on the signal', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const server = await serverThat(answering(201, RECORDED));
  const [client, { signal }] = [clientWith(), new AbortController()];

  for (let call = 0; call < 30; call += 1) await client.createOrder(endpointAt(server.url), create, signal);
  await sleep(10);

  expect(warnings).toEqual([]);
});
