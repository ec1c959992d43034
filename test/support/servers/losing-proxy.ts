import { createConnection, type Socket } from 'node:net';
import { startTcpServer } from './raw-server.ts';

export type LosingProxy = {
  url: string;
  /** The answer to the next statement that contains this is lost, and its connection with it; the server has carried it out. */
  lose(statement: string): void;
  /** How many answers were lost. */
  readonly lost: number;
} & AsyncDisposable;

/** Passes on what goes to the server of a URL. */
export async function losingProxy(target: string): Promise<LosingProxy> {
  const { hostname, port } = new URL(target);
  const sockets: Socket[] = [];
  let next: string | null = null;
  let lost = 0;
  const server = await startTcpServer((socket) => {
    const pending = createConnection({ host: hostname, port: Number(port) });
    sockets.push(socket, pending);
    let isLosing = false;
    for (const one of [socket, pending]) one.on('error', () => one.destroy());
    socket.on('close', () => pending.destroy());
    socket.on('data', (sent) => {
      if (next !== null && sent.includes(next)) {
        next = null;
        isLosing = true;
      }
      pending.write(sent);
    });
    pending.on('data', (answer) => {
      if (!isLosing) return void socket.write(answer);
      lost += 1;
      socket.destroy();
    });
    pending.on('close', () => socket.destroy());
  });
  const url = new URL(target);
  url.port = new URL(server.url).port;
  return {
    url: url.href,
    lose: (statement) => {
      next = statement;
    },
    get lost() {
      return lost;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await server[Symbol.asyncDispose]();
    },
  };
}
