import { randomUUID } from 'node:crypto';
import type { Router } from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { problems } from '../../../src/service/http/http-problem.ts';
import { answers } from '../../../src/service/interface/schemas.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { callerOf, orderDto, shopDto } from '../../support/worlds/compliance-caller.ts';
import { readerOf } from '../../support/worlds/reader.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const schemaRef = z.strictObject({ $ref: z.string() });
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.strictObject({ description: z.string().min(1), schema: z.record(z.string(), z.unknown()) })).optional(),
  content: z.record(
    z.string(),
    z.strictObject({ schema: schemaRef.optional(), examples: z.record(z.string(), z.strictObject({ value: z.unknown() })).optional() }),
  ),
});
const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  description: z.string().min(1),
  schema: z.looseObject({ type: z.string() }),
});
const operation = z.strictObject({
  operationId: z.string().min(1),
  tags: z.array(z.string()).min(1),
  summary: z.string().min(1),
  description: z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()).max(0))).min(1),
  parameters: z.array(parameter),
  requestBody: z
    .strictObject({
      required: z.boolean(),
      content: z.record(
        z.string(),
        z.strictObject({ schema: schemaRef, examples: z.record(z.string(), z.strictObject({ summary: z.string(), value: z.unknown() })).optional() }),
      ),
    })
    .optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), response),
  'x-signed-request': z.record(z.string(), z.string()).optional(),
  'x-codeSamples': z.array(z.strictObject({ lang: z.string(), label: z.string(), source: z.string() })).optional(),
});
const document = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.string() })).min(1),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation)),
  components: z.strictObject({
    schemas: z.record(z.string(), z.looseObject({ type: z.literal('object') })),
    responses: z.record(z.string(), response),
    securitySchemes: z.record(z.string(), z.strictObject({ type: z.literal('apiKey'), in: z.literal('header'), name: z.string(), description: z.string() })),
  }),
});

let postgres: TestPostgres;
let server: ComplianceServer;
let served: z.output<typeof document>;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
  served = document.parse(await (await fetch(`${server.baseUrl}/openapi.json`)).json());
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

describe('the OpenAPI document', () => {
  test('has no broken references', () => {
    const refs = [...JSON.stringify(served).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref);

    expect(refs.length).toBeGreaterThan(30);
    expect(refs.filter((ref) => !(ref.replace('#/components/schemas/', '') in served.components.schemas))).toEqual([]);
  });

  test('describes every operation’s success, errors, keys and path parameters', () => {
    for (const [path, { operationId, parameters, responses, security }] of operationsOf(served)) {
      expect.soft(Object.keys(responses), operationId).toEqual(expect.arrayContaining(['200', '400', '401', '500', '503']));
      expect.soft(security[0], operationId).toEqual({ apiKey: [], signature: [] });
      expect.soft(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
    expect(new Set(operationsOf(served).map(([, { operationId }]) => operationId)).size).toBe(operationsOf(served).length);
  });

  test.each(Object.entries(problems))('gives the problem %s as an example', (code, { status, title }) => {
    const responses = [...operationsOf(served).flatMap(([, one]) => Object.values(one.responses)), ...Object.values(served.components.responses)];
    const examples = responses.flatMap(({ content }) => content['application/problem+json']?.examples?.[code]?.value ?? []);

    expect(examples[0]).toMatchObject({ type: `urn:compliance-service:problem:${code}`, code, status, title });
  });

  test('has every address that exists, and no other', () => {
    const existing = [...routesOf(server.service.router, '/public-api/v1'), ...routesOf(server.service.extensionRouter, '/service/v1')];

    const described = Object.entries(served.paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
    expect(existing.length).toBeGreaterThan(10);
    expect(described.sort()).toEqual(existing.sort());
  });

  test('describes the query of a list and the headers of a create', () => {
    const parametersOf = (path: string, method: 'get' | 'post') => served.paths[path]?.[method]?.parameters.map(({ name }) => name);

    expect(parametersOf('/service/v1/orders', 'get')).toEqual(['limit', 'after', 'shopId', 'month', 'internalId', 'internalNumber']);
    expect(parametersOf('/public-api/v1/order', 'post')).toEqual(['Idempotency-Key']);
    expect(Object.keys(served.paths['/public-api/v1/order']?.post?.responses['200']?.headers ?? {})).toEqual(['Idempotency-Replayed']);
    expect(Object.keys(served.paths['/public-api/v1/order']?.post?.responses['503']?.headers ?? {})).toEqual(['Retry-After']);
  });

  test('answers 409 to a create only if a record is in the way: to the bridge, any other refusal is none', () => {
    const conflict = served.paths['/public-api/v1/order']?.post?.responses['409'];

    expect(Object.keys(conflict?.content['application/problem+json']?.examples ?? {})).toEqual(['order-exists']);
  });

  test('has the rules that requests are checked by', () => {
    const schema = z.looseObject({ required: z.array(z.string()), properties: z.record(z.string(), z.looseObject({})), additionalProperties: z.boolean() });
    const { required, properties, additionalProperties } = schema.parse(served.components.schemas['CreateShopDto']);

    expect(required).toHaveLength(8);
    expect(additionalProperties).toBe(false);
    expect(properties).toMatchObject({
      name: { type: 'string', minLength: 1, maxLength: 250 },
      auditGenerationDay: { type: 'integer', minimum: 1, maximum: 28, default: 10 },
      returnPaymentMethod: { enum: ['IBAN', 'CARD', 'CASH', 'OTHER'] },
    });
  });
});

test('every route answers problems whose code is the end of their type, and is in the document: an injected fault, a missing key, another method and address', async () => {
  const schema = z.looseObject({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) });
  const { code: codes } = schema.parse(served.components.schemas['Problem']).properties;
  const answered: { asked: string; code: string; ending: string }[] = [];
  const ask = async (method: string, path: string) => {
    const answer = await fetch(`${server.baseUrl}${path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'id' ? randomUUID() : '2026-10'))}`, { method });
    const { code, type, status } = answers.Problem.parse(await answer.json());
    expect.soft([answer.headers.get('content-type'), status], `${method} ${path}`).toEqual(['application/problem+json', answer.status]);
    answered.push({ asked: `${method} ${path}`, code, ending: type.replace('urn:compliance-service:problem:', '') });
  };

  for (const [path, methods] of Object.entries(served.paths)) {
    for (const method of Object.keys(methods)) {
      server.service.faultInjection.set([{ do: 'status', status: 502 }]);
      await ask(method.toUpperCase(), path);
      await ask(method.toUpperCase(), path);
    }
    await ask('OPTIONS', path);
    await ask('GET', `${path}/nothing/here`);
  }

  expect(answered.filter(({ code, ending }) => code !== ending || !codes.enum.includes(code))).toEqual([]);
  expect(new Set(answered.map(({ code }) => code))).toEqual(new Set(['injected', 'unauthorized', 'method-not-allowed', 'not-found']));
});

test('answers have the shape that the document describes', async () => {
  const created = await sharingKey(server, { multiShop: true });
  const [call, read] = [callerOf(server.baseUrl, created), readerOf(server.baseUrl, created)];
  const shop = await call('POST', '/shop', { body: shopDto({ nraNumber: 'odd' }) });
  const shopId = String(shop.body['id']);
  const order = await call('POST', '/order', { body: orderDto(shopId) });
  const again = await call('POST', '/order', { body: orderDto(shopId) });
  const orderPath = String(order.body['id']);
  const [shops, shown, orders, one, files, months, ofMonth] = await Promise.all(
    ['/shops', `/shops/${shopId}`, '/orders', `/orders/${orderPath}`, '/audit-files', `/shops/${shopId}/months`, `/shops/${shopId}/months/2026-10`].map(
      (path) => read(path),
    ),
  );
  const deletedOrder = await call('DELETE', `/order/${orderPath}`);
  const deletedShop = await call('DELETE', `/shop/${shopId}`, { body: { name: shopDto().name } });
  const invalid = await call('POST', '/shop', { body: {} });

  const seen: [keyof typeof answers, unknown][] = [
    ['ShopDto', shop.body],
    ['ReadShopDto', shown?.body],
    ['ShopPage', shops?.body],
    ['OrderDto', order.body],
    ['ReadOrderDto', one?.body],
    ['OrderPage', orders?.body],
    ['AuditFilePage', files?.body],
    ['MonthPage', months?.body],
    ['MonthDto', ofMonth?.body],
    ['DeleteOrderResponseDto', deletedOrder.body],
    ['DeleteShopResponseDto', deletedShop.body],
    ['Problem', again.body],
    ['Problem', invalid.body],
  ];
  for (const [name, body] of seen) expect.soft(answers[name].safeParse(body).error?.issues ?? [], name).toEqual([]);
});

describe('the page', () => {
  test('has no script and loads nothing, and its policy says so', async () => {
    const answer = await fetch(`${server.baseUrl}/openapi`);
    const page = await answer.text();

    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
    // Pages elsewhere may read the description for programs, and nothing beside it.
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect((await fetch(`${server.baseUrl}/openapi.json`)).headers.get('access-control-allow-origin')).toBe('*');
    expect(page).not.toMatch(/<script|<link|<img|@import|url\(|https?:\/\/(?!\S*\.example)|\son\w+=/);
  });

  test('links only to its own anchors', async () => {
    const page = await (await fetch(`${server.baseUrl}/openapi`)).text();

    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id = '']) => id);
    expect(links.length).toBeGreaterThan(25);
    expect(links.filter((id) => !page.includes(`id="${id}"`))).toEqual([]);
  });

  test('is not sent again to clients that have it', async () => {
    const first = await fetch(`${server.baseUrl}/openapi`);
    await first.arrayBuffer();

    const second = await fetch(`${server.baseUrl}/openapi`, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });

    expect(second.status).toBe(304);
  });
});

function operationsOf({ paths }: z.output<typeof document>) {
  return Object.entries(paths).flatMap(([path, methods]) => Object.values(methods).map((one) => [path, one] as const));
}

const route = z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) });

/** "post /public-api/v1/order" of everything that a router answers. */
function routesOf(router: Router, under: string): string[] {
  const routes = router.stack.flatMap(({ route: one }) => (one === undefined ? [] : [route.parse(one)]));
  return routes.flatMap(({ path, methods }) =>
    Object.keys(methods)
      .filter((method) => method !== '_all')
      .map((method) => `${method} ${under}${path.replace(/:(\w+)/g, '{$1}')}`),
  );
}
