import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { QueueSystem } from '../../../src/platform/queue/queue-system.ts';
import { startRedis } from '../../support/servers/redis.ts';
import { until } from '../../support/worlds/settled.ts';

const bulk = (...texts: string[]) => [`*${texts.length}`, ...texts.flatMap((text) => [`$${text.length}`, text]), ''].join('\r\n');
const SWITCHED = '+switch-master';

/** A Sentinel, as far as clients see it; while it `holds`, nobody is answered which Redis is the master. */
async function startSentinel(masterPort: number) {
  const subscribed = new Set<Socket>();
  const held: (() => unknown)[] = [];
  const state = { holds: false };
  const master = bulk('127.0.0.1', String(masterPort));
  const answer = (socket: Socket, command: string): unknown => {
    if (/\r\nhello\r\n/i.test(command)) return socket.write("-ERR unknown command 'HELLO'\r\n");
    if (/\r\nsubscribe\r\n/i.test(command)) {
      subscribed.add(socket);
      return socket.write(`*3\r\n$9\r\nsubscribe\r\n$${SWITCHED.length}\r\n${SWITCHED}\r\n:1\r\n`);
    }
    if (!command.includes('get-master-addr-by-name')) return socket.write(command.includes('\r\nsentinels\r\n') ? '*0\r\n' : '+OK\r\n');
    return state.holds ? held.push(() => socket.write(master)) : socket.write(master);
  };
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('close', () => subscribed.delete(socket));
    socket.on('data', (chunk) => {
      for (const command of chunk.toString().split(/(?=\*\d+\r\n)/)) answer(socket, command);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...{ port: (server.address() as AddressInfo).port, subscribed, held, state },
    letGo() {
      state.holds = false;
      for (const one of held.splice(0)) one();
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}

test('a failover that a Sentinel reports while it is asked for the master ends no connection for good', async () => {
  await using redis = await startRedis();
  const redisPort = Number(new URL(redis.url).port);
  await using sentinel = await startSentinel(redisPort);
  const backend = { kind: 'redis', url: `redis+sentinel://127.0.0.1:${sentinel.port}/main` } as const;
  await using system = new QueueSystem({ backend, stalledMs: 2_000, onError: () => undefined });
  const done: string[] = [];
  system.worker<object>('work', async ({ name }) => void done.push(name), { concurrency: 1 });
  const queue = system.queue<object>('work');
  await queue.add('before', {});
  await until(() => done.includes('before'), { what: 'the job to be done' });
  // The queue's, and two of the worker.
  await until(() => sentinel.subscribed.size === 3, { what: 'all connections to wait for a failover' });

  sentinel.state.holds = true;
  const admin = new Redis(redis.url);
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes').finally(() => admin.disconnect());
  await until(() => sentinel.held.length === 3, { what: 'all to ask for the master' });
  for (const socket of sentinel.subscribed) socket.write(bulk('message', SWITCHED, 'main'));
  await until(() => sentinel.subscribed.size === 0, { what: 'all to know of the failover' });
  sentinel.letGo();

  await until(() => system.ping(2_000).then(() => true), { what: 'the queue to answer' });
  await queue.add('after', {});
  await until(() => done.includes('after'), { what: 'the worker to take jobs again' });
  expect(system.isUp).toBe(true);
});
