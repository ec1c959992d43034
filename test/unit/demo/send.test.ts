import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type DemoConnection, type DemoRun, send } from '../../../src/demo/play-stories.ts';
import type { StoryWebhook } from '../../../src/demo/story.ts';

/** Sends one webhook to a receiver that gives these answers, the last of them again and again. */
async function sent(...answers: readonly number[]): Promise<{ status: number; tries: number }> {
  let tries = 0;
  const server = createServer((_request, response) => {
    response.statusCode = answers[Math.min(tries, answers.length - 1)] ?? 500;
    tries += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const run = { world: { app: { url } }, signal: new AbortController().signal, lang: 'en' } as DemoRun;
  const to = { store: { platform: 'shopify', secret: 's', store: 'demo.myshopify.com', title: 'Demo' }, connection: { id: 'c_1' } } as DemoConnection;
  const status = await send(run, to, { topic: 'orders/paid', body: {}, act: 1 } as StoryWebhook);
  return { status, tries };
}

test('a webhook that is answered 503 is sent again, as platforms do, and any other answer counts', async () => {
  expect(await sent(503, 503, 200)).toEqual({ status: 200, tries: 3 });
  await expect(sent(503)).rejects.toThrow('was answered 503');
  await expect(sent(401)).rejects.toThrow('was answered 401');
});
