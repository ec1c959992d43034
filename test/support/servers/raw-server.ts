import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export type SeenByServer = { method: string; path: string; headers: IncomingMessage['headers']; body: string };
export type RawServer = { url: string; seen: SeenByServer[]; connections: number } & AsyncDisposable;
export type Answerer = (response: ServerResponse, seen: SeenByServer, count: number) => void;

/** A real HTTP server that answers each request, its body read, as the test specifies; `count` is 1 for the first. */
export async function startHttpServer(answer: Answerer): Promise<RawServer> {
  const seen: SeenByServer[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    const entry = { method, path, headers, body: await text(request) };
    seen.push(entry);
    answer(response, entry, seen.length);
  });
  return serve(server, seen, () => server.closeAllConnections());
}

/** A TCP server that treats each connection as the test specifies. */
export async function startTcpServer(connected: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    // These servers reset connections on purpose; both ends see it.
    socket.on('error', () => socket.destroy());
    connected(socket);
  });
  return serve(server, [], () => {
    for (const socket of sockets) socket.destroy();
  });
}

async function serve(server: Server, seen: SeenByServer[], cut: () => void): Promise<RawServer> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  const started = { url: `http://127.0.0.1:${port}`, seen, connections: 0 };
  server.on('connection', () => (started.connections += 1));
  const dispose = (): Promise<void> => {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    cut();
    return closed.promise;
  };
  return Object.assign(started, { [Symbol.asyncDispose]: dispose });
}
