import { createConnection, type Socket } from 'node:net';
import { startTcpServer } from './raw-server.ts';

export type FreezingProxy = {
  url: string;
  /** From now on nothing passes, and nothing is closed: as if the server's machine hung. `isReplaced`: who connects anew reaches another. */
  freeze(options?: { isReplaced: boolean }): void;
} & AsyncDisposable;

/** Passes on what goes to the server of a URL, until it is frozen. */
export async function freezingProxy(target: string): Promise<FreezingProxy> {
  const { hostname, port } = new URL(target);
  const sockets: Socket[] = [];
  let isFrozen = false;
  const server = await startTcpServer((socket) => {
    if (isFrozen) return void socket.pause();
    const upstream = createConnection({ host: hostname, port: Number(port) });
    sockets.push(socket, upstream);
    upstream.on('error', () => socket.destroy());
    socket.on('close', () => upstream.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  const url = new URL(target);
  url.port = new URL(server.url).port;
  return {
    url: url.href,
    freeze: ({ isReplaced } = { isReplaced: false }) => {
      isFrozen = !isReplaced;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
