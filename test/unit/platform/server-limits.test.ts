import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ConnectionLimits, limitConnections, serverTimeouts } from '../../../src/platform/http/http-app.ts';
import { until } from '../../support/worlds/settled.ts';

const open: Socket[] = [];
let server: Server;

afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
  server.closeAllConnections();
  server.close();
});

async function start(limits: ConnectionLimits): Promise<() => Promise<Socket>> {
  server = createServer(serverTimeouts, (_request, response) => response.end('ok'));
  limitConnections(server, limits);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    open.push(socket);
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };
}

async function ask(socket: Socket): Promise<void> {
  const received = new Promise((resolve) => socket.once('data', resolve));
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await received;
}

test('connections that are kept for nothing make room for new ones', async () => {
  const dial = await start({ most: 8, mostOfOne: 8 });
  const idle = await Promise.all(Array.from({ length: 6 }, dial));
  for (const socket of idle) await ask(socket);

  await ask(await dial());

  await until(async () => idle.every(({ closed, readableEnded }) => closed || readableEnded), { what: 'the idle ones to be closed' });
});

test('beyond the limit a connection is refused', async () => {
  const dial = await start({ most: 2, mostOfOne: 2 });
  const [first, second, third] = [await dial(), await dial(), await dial()];

  await until(async () => third.closed, { what: 'the third to be closed' });
  await Promise.all([ask(first), ask(second)]);
});

test('many connections of one private address may be those of a proxy', async () => {
  const dial = await start({ most: 100, mostOfOne: 1 });

  await Promise.all(Array.from({ length: 5 }, async () => ask(await dial())));
});

test('one client has all addresses of its IPv6 network, but no more connections for that', () => {
  server = createServer();
  limitConnections(server, { most: 100, mostOfOne: 2 });
  const from = (address: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
    open.push(socket);
    server.emit('connection', socket);
    return socket.destroyed;
  };

  expect(['2600:1:2:3::1', '2600:1:2:3::2', '2600:1:2:3::3', '2600:1:2:4::1'].map(from)).toEqual([false, false, true, false]);
});

test('slow requests are looked for every second', () => {
  expect(serverTimeouts.connectionsCheckingInterval).toBeLessThanOrEqual(1_000);
});
