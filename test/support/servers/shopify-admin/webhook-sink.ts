import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Came = { path: string; headers: IncomingHttpHeaders; body: string };

/** Takes webhooks and answers `status`. `take`: those that came since it was called last. */
export type WebhookSink = AsyncDisposable & { url: string; status: number; take(): Came[] };

export async function startWebhookSink(): Promise<WebhookSink> {
  const came: Came[] = [];
  const server = createServer(async (request, response) => {
    came.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
    response.writeHead(sink.status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sink: WebhookSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    status: 200,
    take: () => came.splice(0),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sink;
}
