// The compliance service of the bench, and its collector of traces: reads, counts, answers after a while with an id that grows with time, as the service that comes along makes them. One
// process of bare node:http, the same for all.
import { randomUUIDv7 } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type StubCount, type StubQuestion, tellPort } from './messages.ts';

const DELAY_MS = Number(process.env['STUB_DELAY_MS'] ?? 5);
const INTERNAL_ID = /"internalId":"([^"]+)"/;

/** When each was recorded, in ms since 1970. */
const orders = new Map<string, number>();
let requests = 0;
let lastAt = 0;

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  if (request.url === '/v1/traces') return void response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  const id = INTERNAL_ID.exec(body)?.[1];
  if (id !== undefined) requests += 1;
  setTimeout(() => {
    if (id === undefined || typeof request.headers['x-signature'] !== 'string') return void response.writeHead(400).end();
    lastAt = Date.now();
    if (!orders.has(id)) orders.set(id, lastAt);
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"${randomUUIDv7()}"}`);
  }, DELAY_MS);
}

function countBetween({ from, to }: { from: number; to: number }): number {
  return [...orders.values()].filter((at) => at >= from && at <= to).length;
}

process.on('message', (message: StubQuestion) => {
  if (message === 'reset') {
    orders.clear();
    requests = 0;
  }
  const count: StubCount = { requests, orders: typeof message === 'object' ? countBetween(message) : orders.size, lastAt };
  process.send?.(count);
});

await tellPort(
  createServer((request, response) => void handle(request, response)),
  Number(process.env['STUB_PORT'] ?? 0),
);
