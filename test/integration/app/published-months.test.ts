import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { linkUrl } from '../../../src/service/links/month-link.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Bridge } from '../../support/worlds/bridge.ts';
import { callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres('whole');
});
afterAll(() => postgres[Symbol.asyncDispose]());

test('the pages are published with the service, and refer to each other below the path of SERVICE_PUBLIC_URL', async () => {
  const publicUrl = 'https://example.com/tax';
  await using bridge = await Bridge.start({ databaseUrl: await postgres.createDatabase('whole'), role: 'all', config: { servicePublicUrl: publicUrl } });
  const { core, url } = bridge.app;
  const embedded = await core.destinations.find(await bridge.embeddedDestinationId());
  if (embedded === null) throw new Error('there is no embedded service');
  const shopId = String((await callerOf(url, embedded.credentials)('POST', '/shop', { body: shopDto() })).body['id']);
  await using pool = await disposable(core.databaseUrl);
  const address = 'shop@cups.example';
  const link = await linkUrl({ pool, sealing: core.sealer, now: () => new Date(), publicUrl }, { shopId, month: '2026-10', address });

  const page = await (await fetch(`${link}`.replace(publicUrl, url))).text();

  expect(link).toMatch(/^https:\/\/example\.com\/tax\/months\/[\w-]+$/);
  expect(page).toContain(`href="${new URL(`${link}`).pathname}/all?lang=bg"`);
  const unknown = await fetch(`${url}/months/unknown`);
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
});

test('without an address to be published under there are none', async () => {
  await using bridge = await Bridge.start({ databaseUrl: await postgres.createDatabase('whole'), role: 'all' });

  const answer = await fetch(`${bridge.app.url}/months/unknown`);

  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
});

async function disposable(databaseUrl: string) {
  const pool = createPool({ url: databaseUrl, schema: 'compliance', max: 1, onError: () => undefined });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
}
