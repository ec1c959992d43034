import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { signedHeaders } from '../../../src/contract/standard-webhook.ts';
import { statusLink } from '../../../src/operations/onboarding/invitations.ts';
import { inviteMerchant, type Merchant, reachable } from '../../support/connect/store-merchant.ts';
import { unescaped } from '../../support/console/form-of.ts';
import { readBridgeActs } from '../../support/samples/bridge-acts.ts';
import { scratchDir } from '../../support/servers/scratch-dir.ts';
import { orderOf, standardHeaders } from '../../support/worlds/bridge.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();
const run = promisify(execFile);

function shown(page: string): { secret: string; address: string; code: string } {
  const secret = /<pre class="secret"[^>]*>(\S+?)<\/pre>/.exec(page)?.[1] ?? '';
  const address = /Address: <code class="copy">([^<]+)</.exec(page)?.[1] ?? '';
  const code = /<summary>Shell[\s\S]*?<code>([\s\S]*?)<\/code>/.exec(page)?.[1] ?? '';
  return { secret: unescaped(secret), address, code: unescaped(code) };
}

async function says(merchant: Merchant, words: string): Promise<void> {
  await until(async () => (await merchant.get('/webhooks')).text.includes(words), { what: `“${words}”` });
}

test('an own shop: the secret is shown once, bad requests are explained, the code that is given turns the box green, and nothing is recorded', async () => {
  await using it = await world({ config: await reachable() });
  await using dir = await scratchDir();
  const merchant = await inviteMerchant(it);
  expect((await merchant.post('/store', { kind: 'own', platform: 'standard', name: ' ' })).status).toBe(422);
  expect((await merchant.post('/store', { kind: 'own', platform: 'standard', name: 'Чаши' })).location).toBe(`${merchant.base}/company`);
  await merchant.chooseCompany();
  const made = await merchant.post('/webhooks', { act: 'make' });
  const { secret, address, code } = shown(made.text);
  expect(secret).toMatch(/^whsec_/);
  expect(unescaped(made.text)).toContain(`>${address.replace('://', `://${encodeURIComponent(secret)}@`)}</pre>`);
  const again = await merchant.get('/webhooks');
  expect(again.text).not.toContain(secret);
  expect(again.text).toContain('We are waiting for the first valid request');
  expect((await merchant.post('/webhooks', { act: 'make' })).text).not.toContain(secret);

  const send = (body: string, headers: Record<string, string>) => fetch(address, { method: 'POST', body, headers });
  const body = JSON.stringify({ data: { order: orderOf('1') } });
  const signed = standardHeaders(secret, body);
  const late = { ...signed, ...signedHeaders(secret, { id: 'msg_late', seconds: Math.floor(Date.now() / 1000) - 3_600, body }) };
  for (const [headers, words] of [
    [{ ...signed, 'webhook-signature': `v1,${Buffer.from('hex').toString('hex')}` }, 'The signature does not match.'],
    [{ 'content-type': 'application/json' }, 'The request is not signed.'],
    [late, 'The clock of your server'],
    [{ ...signed, 'content-type': 'text/plain' }, 'The header Content-Type'],
  ] as const) {
    expect((await send(body, headers)).status).toBeGreaterThanOrEqual(400);
    await says(merchant, words);
  }
  const numbers = JSON.stringify({ data: { order: orderOf('2', { total: 48 }) } });
  expect((await send(numbers, standardHeaders(secret, numbers))).status).toBe(200);
  await says(merchant, 'the order can’t be read');
  expect((await merchant.get('/webhooks')).text).toContain('order.total');

  writeFileSync(join(dir.path, 'send.sh'), code);
  expect((await run('bash', [join(dir.path, 'send.sh')])).stdout).toContain('200');
  await says(merchant, 'A signed message came');
  expect(it.service.requests('POST')).toEqual([]);
});

test('a lost secret is replaced by another, which is shown once, and the old one ends at once while nothing good came', async () => {
  await using it = await world({ config: await reachable() });
  const merchant = await inviteMerchant(it, 'bg');
  await merchant.post('/store', { kind: 'own', platform: 'standard', name: 'Чаши' });
  await merchant.chooseCompany();
  const first = (await merchant.post('/webhooks', { act: 'make' })).text;
  const second = (await merchant.post('/webhooks', { act: 'secret' })).text;

  const [old, fresh] = [first, second].map((page) => shown(page.replace('Адрес:', 'Address:')).secret);
  expect(fresh).toMatch(/^whsec_/);
  expect(fresh).not.toBe(old);
  const { connectionId } = await merchant.now();
  const connection = await it.bridge.app.core.connections.find(connectionId ?? '');
  expect(connection?.secrets.map(({ secret }) => secret)).toEqual([fresh]);
});

test('a store that comes back by another merchant’s link ends the links of the one before', async () => {
  await using it = await world({ config: await reachable() });
  const { pool } = it.bridge;
  const byLink = async (shopId?: string) => {
    const merchant = await inviteMerchant(it);
    await merchant.post('/store', { kind: 'own', platform: 'standard', name: 'Чаши' });
    const chosen = await merchant.chooseCompany(shopId);
    await merchant.post('/webhooks', { act: 'make' });
    const { connectionId } = await merchant.now();
    return { merchant, shopId: chosen, connectionId, status: `/connect/${await statusLink({ pool }, merchant)}/status` };
  };
  const first = await byLink();
  expect(await first.merchant.browser.post(`${first.status}/disconnect`)).toMatchObject({ status: 303 });
  expect(await first.merchant.get('/webhooks')).toMatchObject({ status: 200 });

  const second = await byLink(first.shopId);

  expect(second.connectionId).toBe(first.connectionId);
  for (const path of [first.status, `${first.status}/disconnect`]) expect(await first.merchant.browser.get(path)).toMatchObject({ status: 404 });
  expect(await first.merchant.browser.post(`${first.status}/disconnect`)).toMatchObject({ status: 404 });
  expect(await first.merchant.get('/store')).toMatchObject({ status: 404 });
  expect(await it.bridge.app.core.connections.find(second.connectionId ?? '')).toMatchObject({ closedAt: null });
  expect(await second.merchant.browser.get(second.status)).toMatchObject({ status: 200 });
  const ended = (await readBridgeActs(pool)).filter(({ act }) => act === 'invitation.revoked');
  expect(ended).toMatchObject([{ who: `merchant:${second.merchant.id}`, subject: first.merchant.id, connectionId: first.connectionId }]);
});
