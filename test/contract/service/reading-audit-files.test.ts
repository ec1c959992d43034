import { createHash, randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { answers } from '../../../src/service/interface/schemas.ts';
import { type ComplianceServer, startComplianceServer } from '../../support/servers/compliance-server.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Call, callerOf, shopDto } from '../../support/worlds/compliance-caller.ts';
import { type Read, readerOf } from '../../support/worlds/reader.ts';
import { until } from '../../support/worlds/settled.ts';
import { sharingKey } from '../../support/worlds/sharing-key.ts';

const sums = { orders: 2, net: '20.00', vat: '4.00', total: '24.00', returns: 0, returned: '0.00' };
const finding = { level: 'warning', rule: 'file.quiet', line: null, order: null, words: 'few orders', advice: 'none' };

let postgres: TestPostgres;
let server: ComplianceServer;
let call: Call;
let read: Read;
let shopId: string;
let broken: object[];

beforeAll(async () => {
  postgres = await startPostgres();
  const log = { info: () => undefined, error: (details: object) => broken.push(details) };
  server = await startComplianceServer({ databaseUrl: postgres.url, log });
});
/** As the file bears it; what it says is of no matter here. */
const header = {
  ...{ nraNumber: 'RF0000123', domain: 'cups.example', companyUic: '200000015' },
  companyName: 'Cups',
  companyAddress: 'Sofia',
  eShopType: null,
};

beforeEach(async () => {
  broken = [];
  const created = await sharingKey(server, { multiShop: true });
  read = readerOf(server.baseUrl, created);
  call = callerOf(server.baseUrl, created);
  shopId = String((await call('POST', '/shop', { body: shopDto() })).body['id']);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await postgres[Symbol.asyncDispose]();
});

/** A file as the service stores it: `parts` are gzip members that follow each other. */
async function keepFile({ month = '2026-10', version = 1, parts = [Buffer.from('<audit/>')], bytes = -1 } = {}) {
  const size = bytes === -1 ? Buffer.concat(parts).length : bytes;
  const id = randomUUID();
  const sha256 = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
  await server.pool.query(
    `insert into compliance.audit_files (id, shop_id, month, version, created_at, cut_at, sha256, bytes, sums, findings, summary, header)
     values ($1, $2, $3, $4, '2026-11-10T05:00:00.123456Z', '2026-11-10T04:59:59Z', $5, $6, $7, $8, '{}', $9)`,
    [id, shopId, `${month}-01`, version, sha256, size, sums, JSON.stringify([finding]), header],
  );
  for (const [n, part] of parts.entries()) {
    await server.pool.query('insert into compliance.audit_file_chunks (file_id, n, content) values ($1, $2, $3)', [id, n, gzipSync(part)]);
  }
  return { id, sha256 };
}

function idsOf(body: Record<string, unknown>): unknown[] {
  const { items } = body;
  return Array.isArray(items) ? items.map(({ id }) => id) : [];
}

test.each([
  ['csv', 'audit_csv_chunks', 'audit-2026-10-1.csv'],
  ['bookkeeping-csv', 'audit_bookkeeping_chunks', 'bookkeeping-2026-10-1.csv'],
])('its %s is downloaded as it was made, by its own key alone', async (path, table, name) => {
  const { id } = await keepFile();
  await server.pool.query(`insert into compliance.${table} (file_id, n, content) values ($1, 1, $2), ($1, 2, $3)`, [
    id,
    gzipSync('\ufeffВид;'),
    gzipSync('Валута\r\n'),
  ]);

  const answer = await read(`/audit-files/${id}/${path}`);

  expect([answer.status, answer.headers.get('content-type'), answer.bytes.toString('utf8')]).toEqual([200, 'text/csv; charset=utf-8', '\ufeffВид;Валута\r\n']);
  expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
  const stranger = readerOf(server.baseUrl, await server.service.keys.create({ multiShop: true }));
  expect((await stranger(`/audit-files/${id}/${path}`)).status).toBe(404);
  expect((await read(`/audit-files/${randomUUID()}/${path}`)).status).toBe(404);
});

test('an audit file is shown with hash, size, sums and findings', async () => {
  const { id, sha256 } = await keepFile({ version: 3 });

  const { body } = await read(`/audit-files/${id}`);

  expect(answers.AuditFileDto.safeParse(body).error).toBeUndefined();
  expect(body).toEqual({
    id,
    shopId,
    month: '2026-10',
    version: 3,
    createdAt: '2026-11-10T05:00:00.123Z',
    cutAt: '2026-11-10T04:59:59.000Z',
    sha256,
    bytes: 8,
    monthState: 'open',
    filed: false,
    sums,
    findings: [finding],
  });
});

test('the version that a person marked as filed is shown as filed', async () => {
  const [first, second] = [await keepFile({ version: 1 }), await keepFile({ version: 2 })];
  await server.pool.query(`insert into compliance.audit_months (shop_id, month, state, filed_version) values ($1, '2026-10-01', 'filed', 2)`, [shopId]);

  expect((await read(`/audit-files/${first.id}`)).body).toMatchObject({ monthState: 'filed', filed: false });
  expect((await read(`/audit-files/${second.id}`)).body).toMatchObject({ monthState: 'filed', filed: true });
});

test('files are found by shop and month, a part at a time', async () => {
  const october = [(await keepFile({ version: 1 })).id, (await keepFile({ version: 2 })).id].sort();
  const september = (await keepFile({ month: '2026-09' })).id;

  const first = await read('/audit-files?month=2026-10&limit=1');
  const second = await read(`/audit-files?month=2026-10&limit=1&after=${String(first.body['next'])}`);

  expect([...idsOf(first.body), ...idsOf(second.body)]).toEqual(october);
  expect(second.body['next']).toBeNull();
  expect(idsOf((await read(`/audit-files?shopId=${shopId}&month=2026-09`)).body)).toEqual([september]);
});

test('the content is the bytes as they were made, with name, size and digest', async () => {
  const parts = [Buffer.from('<?xml version="1.0" encoding="windows-1251"?><audit>'), Buffer.alloc(3_000_000, 0xc0), Buffer.from('</audit>')];
  const { id, sha256 } = await keepFile({ version: 2, parts });

  const answer = await read(`/audit-files/${id}/content`);

  expect(createHash('sha256').update(answer.bytes).digest('hex')).toBe(sha256);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/xml; charset=windows-1251',
    'content-length': String(answer.bytes.length),
    'content-disposition': 'attachment; filename="audit-2026-10-2.xml"',
    'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    'cache-control': 'no-store',
  });
});

test('HEAD returns the size and no body', async () => {
  const { id } = await keepFile();

  const answer = await read(`/audit-files/${id}/content`, { method: 'HEAD' });

  expect([answer.headers.get('content-length'), answer.bytes.length]).toEqual(['8', 0]);
});

test('a file with a missing part breaks off instead of ending, and is logged', async () => {
  const { id } = await keepFile({ bytes: 20 });

  await expect(read(`/audit-files/${id}/content`)).rejects.toThrow('terminated');

  await until(() => broken.length === 1, { what: 'the log line' });
});

test('another key’s files are not found', async () => {
  const { id } = await keepFile();
  const stranger = readerOf(server.baseUrl, await sharingKey(server, { multiShop: true }));

  const refused = await Promise.all(
    [`/audit-files/${id}`, `/audit-files/${id}/content`, `/audit-files?shopId=${shopId}`, '/audit-files/42'].map((path) => stranger(path)),
  );

  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await stranger('/audit-files')).body).toEqual({ items: [], next: null });
});

test('files are deleted with their shop, bytes included', async () => {
  const { id } = await keepFile();

  await call('DELETE', `/shop/${shopId}`, { body: { name: shopDto().name } });

  expect((await read(`/audit-files/${id}`)).status).toBe(404);
  expect((await server.pool.query('select from compliance.audit_file_chunks where file_id = $1', [id])).rowCount).toBe(0);
});
