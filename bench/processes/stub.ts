// The compliance service of the bench: reads, counts, answers with an id after a while. One process of bare node:http, the same for all.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type StubCount, tellPort } from './messages.ts';

const DELAY_MS = Number(process.env['STUB_DELAY_MS'] ?? 5);
const INTERNAL_ID = /"internalId":"([^"]+)"/;

const orders = new Set<string>();
let requests = 0;
let lastAt = 0;

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const id = INTERNAL_ID.exec(body)?.[1];
  requests += 1;
  setTimeout(() => {
    if (id === undefined || typeof request.headers['x-signature'] !== 'string') return void response.writeHead(400).end();
    orders.add(id);
    lastAt = Date.now();
    response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"${randomUUID()}"}`);
  }, DELAY_MS);
}

process.on('message', (message: 'count' | 'reset') => {
  if (message === 'reset') {
    orders.clear();
    requests = 0;
  }
  const count: StubCount = { requests, orders: orders.size, lastAt };
  process.send?.(count);
});

await tellPort(
  createServer((request, response) => void handle(request, response)),
  Number(process.env['STUB_PORT'] ?? 0),
);
