import { once } from 'node:events';
import express from 'express';
import { z } from 'zod';

const attribute = z
  .object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
  .transform(({ key, value }) => [key, Object.values(value)[0]] as const);
const attributes = z.array(attribute).transform((pairs) => Object.fromEntries(pairs));
const ids = { traceId: z.string(), spanId: z.string() };
const span = z.object({
  ...ids,
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  attributes,
  links: z.array(z.object(ids)).default([]),
  status: z.object({ code: z.number() }),
});
const request = z.object({
  resourceSpans: z.array(z.object({ resource: z.object({ attributes }), scopeSpans: z.array(z.object({ spans: z.array(span) })) })),
});

/** A span as it came, and which service sent it. */
export type TakenSpan = z.output<typeof span> & { service: unknown };

/** A collector of OpenTelemetry: it takes spans by OTLP over HTTP. `bodies`: as they came. */
export type Collector = { url: string; spans: TakenSpan[]; bodies: string[] } & AsyncDisposable;

export async function startCollector(): Promise<Collector> {
  const spans: TakenSpan[] = [];
  const bodies: string[] = [];
  const app = express().use(express.text({ type: '*/*', limit: '10mb' }));
  app.post('/v1/traces', ({ body }, response) => {
    bodies.push(body);
    for (const { resource, scopeSpans } of request.parse(JSON.parse(body)).resourceSpans) {
      spans.push(...scopeSpans.flatMap((scope) => scope.spans).map((one) => ({ ...one, service: resource.attributes['service.name'] })));
    }
    response.json({});
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the collector has no port');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${address.port}`, spans, bodies, [Symbol.asyncDispose]: stop };
}
