import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A store's API that lets every request hang until the test lets go; `most`: so many hung at a time. */
export type HangingStore = AsyncDisposable & { url: string; calls: number; most: number; letGo(): void };

/** Answers with `answer`, by path, once it is let go; a request that its caller gives up counts no longer. */
export async function startHangingStore(answer: (path: string) => unknown): Promise<HangingStore> {
  const { promise: go, resolve: letGo } = Promise.withResolvers<void>();
  let hanging = 0;
  const server = createServer(async (request, response) => {
    store.calls += 1;
    hanging += 1;
    store.most = Math.max(store.most, hanging);
    response.once('close', () => {
      hanging -= 1;
    });
    await go;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(request.url ?? '')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const store: HangingStore = {
    url: `http://127.0.0.1:${port}`,
    ...{ calls: 0, most: 0, letGo },
    async [Symbol.asyncDispose]() {
      letGo();
      server.closeAllConnections();
      server.close();
    },
  };
  return store;
}
