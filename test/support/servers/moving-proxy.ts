import { createConnection, type Socket } from 'node:net';
import { startTcpServer } from './raw-server.ts';

export type MovingProxy = {
  url: string;
  /** Ends what is open, and refuses what is new until it moves. */
  cut(): void;
  /** From now on it leads there. */
  moveTo(url: string): void;
} & AsyncDisposable;

/** An address that a failover manager moves from one server to another. */
export async function movingProxy(target: string): Promise<MovingProxy> {
  const sockets = new Set<Socket>();
  let at: URL | null = new URL(target);
  const server = await startTcpServer((socket) => {
    if (at === null) return void socket.destroy();
    const upstream = createConnection({ host: at.hostname, port: Number(at.port) });
    for (const one of [socket, upstream]) {
      sockets.add(one);
      one.on('error', () => one.destroy());
      one.on('close', () => sockets.delete(one));
    }
    upstream.on('close', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  const cut = (): void => {
    at = null;
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(target);
  url.port = new URL(server.url).port;
  return {
    url: url.href,
    cut,
    moveTo: (to) => {
      at = new URL(to);
    },
    async [Symbol.asyncDispose]() {
      cut();
      await server[Symbol.asyncDispose]();
    },
  };
}
