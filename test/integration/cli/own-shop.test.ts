import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';

const SECRET = `whsec_${'A'.repeat(43)}=`;
const remote = { COMPLIANCE_API_URL: 'https://compliance.invalid', COMPLIANCE_API_KEY: 'key', COMPLIANCE_API_SECRET: 'secret', COMPLIANCE_AMOUNTS: 'decimal' };
const ADDRESS = 'https://shop.invalid/orderbridge/orders/?list=all';

let postgres: TestPostgres;
let program: Program;
beforeAll(async () => {
  postgres = await startPostgres('whole');
  program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS, ...remote });
});
afterAll(async () => {
  await program[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

type Shown = { connectionId: string; storeUrl: string | null; warnings: string[] };

const connect = (more: readonly string[] = []) => [
  ...['connect', '--platform', 'standard', '--name', 'corner', '--secret', '-', '--compliance-shop', randomUUID(), ...more],
];

async function connected(more: readonly string[] = []): Promise<string> {
  const { connectionId } = JSON.parse(await program.ok([...connect(more), '--json'], { stdin: SECRET }));
  return connectionId;
}

async function shown(id: string): Promise<Shown | undefined> {
  return (await program.json<Shown[]>(['connections'])).find(({ connectionId }) => connectionId === id);
}

test('an own shop is connected with the address of its endpoint alone, which stays as it was typed', async () => {
  const id = await connected(['--store-url', ADDRESS]);

  // There is no such host, which connecting tries out.
  expect(await shown(id)).toMatchObject({ storeUrl: ADDRESS, warnings: [expect.stringContaining('shop.invalid gave no answer')] });
});

test('an own shop is connected without one as before, and gets it later', async () => {
  const id = await connected();
  expect(await shown(id)).toMatchObject({ storeUrl: null, warnings: [] });

  await program.ok(['reconnect', id, '--store-url', ADDRESS]);

  // There is no such host, which connecting tries out.
  expect(await shown(id)).toMatchObject({ storeUrl: ADDRESS, warnings: [expect.stringContaining('shop.invalid gave no answer')] });
});

test('an own shop takes no keys, and no address that would show its orders on the way', async () => {
  const keys = await program.run(connect(['--store-url', ADDRESS, '--consumer-key', 'ck']), { stdin: SECRET });
  const clear = await program.run(connect(['--store-url', 'http://shop.invalid/orders']), { stdin: SECRET });

  expect(keys).toMatchObject({ code: 1, err: expect.stringContaining('a standard store takes no API credentials: leave out --consumer-key') });
  expect(clear).toMatchObject({ code: 1, err: expect.stringContaining('--store-url') });
});

test('connecting prints a connection code: the address with the secret as its user, for a module in the shop', async () => {
  const printed = await program.ok(connect(), { stdin: SECRET });

  const [, address = ''] = /webhookUrl\s+(\S+)/.exec(printed) ?? [];
  expect(address).toContain('/webhooks/standard/c_');
  expect(printed).toContain(address.replace('://', `://${encodeURIComponent(SECRET)}@`));
});
