import { randomBytes, randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeptAct } from '../../../src/platform/audit-log/audit-log.ts';
import { SHOP_FLAGS } from '../../support/samples/shop-flags.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { Program } from '../../support/servers/program.ts';
import { type AuditCli, juneOrder, MONTH, useAuditCli } from '../../support/worlds/audit-cli.ts';
import { ENCRYPTION_KEYS } from '../../support/worlds/bridge.ts';

type Shown = KeptAct & { auditLog: string; store: string | null; order: { number: string } | null; means: string };

const ME = `cli:${userInfo().username}@${hostname()}`;
const whsec = () => `whsec_${randomBytes(32).toString('base64')}`;

describe('of stores and shops', () => {
  let postgres: TestPostgres;
  let program: Program;
  beforeAll(async () => {
    postgres = await startPostgres('whole');
    program = await Program.prepare({ DATABASE_URL: postgres.url, ENCRYPTION_KEYS });
  });
  afterAll(async () => {
    await program[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const activity = (...args: string[]) => program.json<Shown[]>(['activity', ...args]);

  test('each command that changes something leaves who, what, before, after and why, and no secret', async () => {
    const earlier = (await activity()).length;
    const shop = (await program.ok(['shop', 'create', ...SHOP_FLAGS])).trim();
    await program.ok(['shop', 'update', shop, '--domain', 'shop.example', '--customer-email', 'new@corner.example']);
    const [first, second, third] = [whsec(), whsec(), whsec()];
    const { connectionId: id } = await program.json<{ connectionId: string }>([
      ...['connect', '--platform', 'standard', '--name', 'Corner', '--secret', first, '--compliance-shop', shop],
    ]);
    await program.ok(['reconnect', id, '--name', 'Corner 12', '--secret', second]);
    await program.ok(['rotate-secret', id, '--secret', third]);
    await program.ok(['disconnect', id, '--why', 'the shop moves to another platform']);
    await program.ok(['connect', '--platform', 'standard', '--name', 'Corner', '--secret', first, '--compliance-shop', shop, '--same-store']);
    await program.ok(['disconnect', id]);
    await program.ok(['disconnect', id]);
    await program.ok(['shop', 'delete', shop, '--name', 'Corner', '--why', 'made by mistake']);

    const acts = (await activity())
      .reverse()
      .slice(earlier)
      .filter(({ auditLog }) => auditLog === 'bridge');

    expect(acts.map(({ act }) => act)).toEqual([
      ...['shop.create', 'shop.answered', 'shop.update', 'shop.answered', 'store.connected', 'store.changed', 'secret.rotated', 'store.disconnected'],
      ...['store.connected', 'store.disconnected', 'shop.delete', 'shop.answered'],
    ]);
    const [create, created, update, , connected, changed, rotated, disconnected, again] = acts;
    expect(acts.every(({ who }) => who === ME)).toBe(true);
    expect([create, created, update]).toMatchObject([
      { after: { name: 'Corner', customerPhone: 'given', customerEmail: 'given' } },
      { subject: shop, after: { status: 200 } },
      { subject: shop, after: { domain: 'shop.example', customerEmail: 'given' } },
    ]);
    expect(connected).toMatchObject({ connectionId: id, before: null, after: { name: 'Corner', platform: 'standard', secret: 'given' } });
    expect(changed).toMatchObject({ before: { name: 'Corner' }, after: { name: 'Corner 12', secret: 'changed' } });
    expect(rotated).toMatchObject({ before: {}, after: { secret: 'changed' } });
    expect(disconnected).toMatchObject({ why: 'the shop moves to another platform', before: { closedAt: null }, store: 'Corner' });
    expect(again).toMatchObject({ before: { closedAt: expect.any(String) }, after: { closedAt: null } });
    expect(acts.at(-2)).toMatchObject({ subject: shop, before: { name: 'Corner' }, why: 'made by mistake' });
    const everything = JSON.stringify(await activity());
    for (const secret of [first, second, third, '@corner.example', '+359']) expect(everything).not.toContain(secret.replace('whsec_', ''));
    expect((await activity('--connection', id)).every(({ connectionId }) => connectionId === id)).toBe(true);
    expect(await activity('--limit', '2')).toHaveLength(2);
  });

  test('people read a line each: who, what, about what, the difference, and why', async () => {
    const shop = randomUUID();
    const { connectionId: id } = await program.json<{ connectionId: string }>([
      ...['connect', '--platform', 'standard', '--name', 'Corner', '--secret', whsec(), '--compliance-shop', shop],
    ]);
    await program.ok(['reconnect', id, '--name', 'Corner 12']);
    await program.ok(['disconnect', id, '--why', 'closed for good']);

    const [header, last, renamed] = (await program.ok(['activity', '--connection', id])).split('\n');

    expect(header).toMatch(/^time +who +what +about +change +why$/);
    expect(last).toMatch(/^\d\d\.\d\d\. \d\d:\d\d:\d\d +cli:\S+ +A store was disconnected +Corner 12 +closedAt: - → \S+ +closed for good$/);
    expect(renamed).toContain('name: Corner → Corner 12');
  });

  test('without any, and of an unknown order or connection, it says so', async () => {
    await program.ok(['connections']);

    expect(await program.ok(['activity', '--connection', (await connected()).connectionId])).toContain('A store was connected');
    expect(await program.run(['activity', '--order', '404'])).toMatchObject({ code: 1, err: expect.stringContaining('no webhook of an order 404 has come') });
    expect(await program.run(['activity', '--connection', 'c_none'])).toMatchObject({ code: 1 });
    expect((await program.run(['disconnect', 'c_none', '--why', ' '])).err).toContain('It must be text');
  });

  function connected() {
    return program.json<{ connectionId: string }>([
      'connect',
      '--platform',
      'standard',
      '--name',
      'Corner',
      '--secret',
      whsec(),
      '--compliance-shop',
      randomUUID(),
    ]);
  }
});

describe('of our own compliance service', () => {
  const startCli = useAuditCli();
  let cli: AuditCli;
  let earlier: number;
  beforeEach(async () => {
    cli = await startCli();
    earlier = (await all()).length;
  });
  afterEach(() => cli[Symbol.asyncDispose]());

  const all = async (): Promise<Shown[]> => JSON.parse((await cli.run(['activity', '--json'])).out);
  /** Those of this test. */
  const acts = async () =>
    (await all())
      .reverse()
      .slice(earlier)
      .filter(({ auditLog, who }) => auditLog === 'compliance' && who === ME);
  const ok = async (...args: string[]): Promise<string> => {
    const { code, out, err } = await cli.service(args);
    if (code !== 0) throw new Error(`${args.join(' ')}: ${err}`);
    return out;
  };

  test('each command leaves what it did in the schema of the service', async () => {
    const key = JSON.parse(await ok('keys', 'create', '--label', 'agency', '--json'));
    await ok('keys', 'revoke', key.id);
    const { id: orderId } = await cli.create(juneOrder(1));
    await ok('receipts', 'issue', orderId);
    await ok('receipts', 'issue', orderId);
    await ok('audit', 'generate', ...cli.of, '--now', '--mail');
    await ok('audit', 'mark-filed', ...cli.of, '--why', 'filed by the accountant');
    await ok('audit', 'mark-rejected', ...cli.of);
    await ok('rates', 'import', join(import.meta.dirname, '../../fixtures/bnb/sheet-2025-01-10.xml'));

    const month = `${cli.shopId} ${MONTH}`;
    expect(await acts()).toMatchObject([
      { act: 'key.created', subject: key.id, after: { label: 'agency', multiShop: false } },
      { act: 'key.revoked', subject: key.id },
      { act: 'receipt.issued', after: { orderId } },
      { act: 'month.generated', subject: month, after: { version: 1 } },
      { act: 'month.mailed', subject: month },
      { act: 'month.filed', subject: month, before: { state: 'generated' }, after: { state: 'filed', version: 1 }, why: 'filed by the accountant' },
      { act: 'month.rejected', subject: month, before: { state: 'filed' } },
      { act: 'rates.imported', after: { from: '2025-01-10', to: '2025-01-10' } },
    ]);
    expect(JSON.stringify(await acts())).not.toContain(key.apiSecret);
  });

  test('listen prints one line of JSON an event, and ends with 0 at Ctrl-C', async () => {
    const ctrlC = new AbortController();

    const { code, out, err } = await cli.run(['tail', '--json', '--since', '10m'], { signal: ctrlC.signal, onOut: () => ctrlC.abort() });

    expect([code, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ of: 'act', words: expect.stringMatching(/^An API key was made \(.+\), by orderbridge$/) }),
    );
    expect((await cli.run(['tail', '--since', 'noon'])).err).toContain('It must be a time such as 30s, 10m or 2h.');
    expect((await cli.run(['tail', 'c_none'])).code).toBe(1);
  });

  test('what is refused leaves nothing', async () => {
    expect((await cli.service(['keys', 'revoke', randomUUID()])).code).toBe(1);
    expect((await cli.service(['audit', 'mark-filed', ...cli.of])).code).toBe(1);
    expect((await cli.service(['mails', 'retry', randomUUID()])).code).toBe(1);

    expect(await acts()).toEqual([]);
  });
});
