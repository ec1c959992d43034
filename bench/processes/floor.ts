// The floor: what a webhook costs at least. Bare node:http that verifies, parses and appends to a list in Redis.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Redis } from 'ioredis';
import { tellPort } from './messages.ts';

const secret = process.env['WEBHOOK_SECRET'] ?? '';
const redis = new Redis(process.env['REDIS_URL'] ?? '');

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const claimed = Buffer.from(String(request.headers['x-shopify-hmac-sha256']), 'base64');
  const expected = createHmac('sha256', secret).update(body).digest();
  if (claimed.length !== expected.length || !timingSafeEqual(claimed, expected)) return void response.writeHead(401).end();
  const order: { id: number } = JSON.parse(body.toString());
  await redis.rpush('floor', JSON.stringify(order));
  response.writeHead(200, { 'content-length': 2 }).end('ok');
}

await tellPort(createServer((request, response) => void handle(request, response)));
