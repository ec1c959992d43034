import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { embeddedDialect, sign } from '../../../src/contract/dialect.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const parts = ['apiKey', 'apiSecret', 'algorithm', 'method', 'path', 'body', 'signedText', 'signature', 'signatureWithoutBody', 'curl'] as const;
const operation = z.object({
  'x-signed-request': z.record(z.enum(parts), z.string()),
  'x-codeSamples': z.array(z.unknown()),
  requestBody: z.object({ content: z.object({ 'application/json': z.object({ examples: z.record(z.string(), z.object({ value: z.unknown() })) }) }) }),
});
const document = z.object({ paths: z.object({ '/public-api/v1/order': z.object({ post: operation }) }) });

let postgres: TestPostgres;
let server: ComplianceServer;
let described: z.output<typeof operation>;

beforeAll(async () => {
  postgres = await startPostgres();
  server = await startComplianceServer({ databaseUrl: postgres.url });
  const served: unknown = await (await fetch(`${server.baseUrl}/openapi.json`)).json();
  described = document.parse(served).paths['/public-api/v1/order'].post;
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

describe('the signed request of the document', () => {
  const signed = () => described['x-signed-request'];

  test('has the signatures that a reader computes, by the project and without it', () => {
    const { apiSecret, signedText, body, signature, signatureWithoutBody } = signed();
    const plain = (text: string) => createHmac('sha256', apiSecret).update(text, 'utf8').digest('hex');

    expect(signedText).toBe(body);
    expect([sign(signedText, apiSecret, embeddedDialect), plain(signedText)]).toEqual([signature, signature]);
    expect([sign('', apiSecret, embeddedDialect), plain('')]).toEqual([signatureWithoutBody, signatureWithoutBody]);
    expect(signature).not.toBe(signatureWithoutBody);
  });

  test('is the example of the body, and the line of curl', () => {
    const { apiKey, path, body, signature, curl } = signed();

    expect(described.requestBody.content['application/json'].examples['signed']?.value).toEqual(JSON.parse(body));
    expect(described['x-codeSamples']).toEqual([{ lang: 'Shell', label: 'curl', source: curl }]);
    expect(curl).toContain(` --data-binary '${body}' `);
    expect(body).not.toContain("'");
    for (const part of [path, `x-api-key: ${apiKey}`, `x-signature: ${signature}`]) expect(curl).toContain(part);
  });

  test('is an order that the service takes, and on the page', async () => {
    const call = callerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));
    const { body: example, signature, curl } = signed();
    const { shopId: unknown, ...order } = z.looseObject({ shopId: z.string() }).parse(JSON.parse(example));

    const shop = await call('POST', '/shop', { body: shopDto() });
    const page = await (await fetch(`${server.baseUrl}/openapi`)).text();

    expect(await call('POST', '/order', { body: example })).toMatchObject({ status: 404 });
    expect(await call('POST', '/order', { body: { ...order, shopId: shop.body['id'] } })).toMatchObject({ status: 200, body: { totalVat: 6.28 } });
    expect(unknown).not.toBe(shop.body['id']);
    expect([signature, 'curl -sS'].filter((part) => !page.includes(part))).toEqual([]);
    expect(curl.startsWith('curl -sS')).toBe(true);
  });
});
