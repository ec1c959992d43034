import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from '../../../src/platform/http/read-body.ts';
import { until } from '../../support/worlds/settled.ts';

const FREE = 1_000;

/** What a server read of the requests of one connection, as text, or why it did not. `arrived`: so many bytes came. */
async function serve(): Promise<{ socket: Socket; read: string[]; arrived(): number }> {
  const read: string[] = [];
  let peer: Socket | undefined;
  const server = createServer(async (request, response) => {
    // As a look-up of the connection does.
    await Promise.resolve();
    const body = await readBody(request, { limit: 3_000, withinMs: 10_000, free: FREE, reserve: async () => true });
    read.push(body.ok ? body.body.toString() : body.why);
    response.end();
  }).listen(0, '127.0.0.1');
  server.on('connection', (one) => {
    peer = one;
  });
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
  await once(socket, 'connect');
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { socket, read, arrived: () => peer?.bytesRead ?? 0 };
}

const head = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
const all = (read: string[], count: number) => until(async () => read.length === count, { what: 'the requests to be read', everyMs: 5 });

test('bodies that come with their heads are read whole, one after the other', async () => {
  const { socket, read } = await serve();
  const bodies = ['a', '', 'b'.repeat(FREE), 'c'.repeat(FREE + 1)];

  socket.write(bodies.map((body) => head(body.length) + body).join(''));
  await all(read, bodies.length);

  expect(read).toEqual(bodies);
});

test('a body that comes in pieces is read whole, and so is the one behind it', async () => {
  const { socket, read, arrived } = await serve();

  for (const piece of [head(4), 'a', 'bc', `d${head(1)}`, 'e']) {
    const sent = arrived() + piece.length;
    socket.write(piece);
    await until(() => arrived() === sent, { what: 'the piece to arrive', everyMs: 5 });
  }
  await all(read, 2);

  expect(read).toEqual(['abcd', 'e']);
});

test('what is too large for the limit is not read, declared or not', async () => {
  const { socket, read } = await serve();

  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nbb9\r\n${'a'.repeat(3_001)}\r\n0\r\n\r\n`);
  await all(read, 1);

  expect(read).toEqual(['too-large']);
});
