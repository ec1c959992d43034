import { describe, expect, test } from 'vitest';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { callerOf } from '../../support/worlds/compliance-caller.ts';
import { OCTOBER, october } from '../../support/worlds/october.ts';
import { auditMailOf, due, pageOf, serve } from '../../support/worlds/served-month.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const TYPED = { nraNumber: 'RF8888888', domain: 'z1.example', companyName: 'Чаши' };
const RIGHT = { nraNumber: 'RF9999991', domain: 'z1-new.example', companyName: 'Чаши и чинии ООД' };

/** A shop with a sale of October, whose file was made on 10 November with a mistyped number. */
async function madeOctober(): Promise<AuditWorld> {
  const w = await worlds.audit(OCTOBER);
  await change(w, TYPED);
  await w.create(october(1));
  w.setClock('2026-11-10T10:00:00Z');
  await serve(w);
  return w;
}

const change = async (w: AuditWorld, body: Record<string, unknown>) => await w.call('PUT', `/shop/${w.shopId}`, { body });

type Asked = { act?: string; month?: string };

function monthCall({ server, credentials, shopId }: AuditWorld, { act, month = '2026-10' }: Asked = {}) {
  const call = callerOf(server.baseUrl, credentials, '/service/v1');
  return (body?: Record<string, unknown>) =>
    act === undefined ? call('GET', `/shops/${shopId}/months/${month}`) : call('POST', `/shops/${shopId}/months/${month}/${act}`, { body: body ?? {} });
}

/** The header elements of a version, as the API gives its bytes. */
async function headerOf(w: AuditWorld, version: number, month = '2026-10'): Promise<string[]> {
  const { body } = await monthCall(w, { month })();
  const versions = body['versions'];
  const file = (Array.isArray(versions) ? versions : []).find((one: { version: number }) => one.version === version);
  const { rows } = await w.server.pool.query<{ xml: Buffer }>('select content as xml from compliance.audit_file_chunks where file_id = $1', [file?.id]);
  const { gunzipSync } = await import('node:zlib');
  const text = gunzipSync(rows[0]?.xml ?? Buffer.alloc(0)).toString('latin1');
  return ['eik', 'e_shop_n', 'domain_name', 'e_shop_type'].map((name) => new RegExp(`<${name}>(.*?)</${name}>`).exec(text)?.[1] ?? '');
}

describe('F1: the number, domain or company of a shop is corrected after its file was made', () => {
  test('the month says which field changed, in the page and the interface', async () => {
    await using w = await madeOctober();

    await change(w, RIGHT);

    const { body } = await monthCall(w)();
    expect(body['situation']).toMatchObject({ kind: 'generated', file: { name: 'audit_RF8888888_2026-10_v1.xml' } });
    expect(body['changes']).toEqual({
      count: 2,
      rows: [
        { change: 'header', field: 'nraNumber', from: 'RF8888888', to: 'RF9999991' },
        { change: 'header', field: 'domain', from: 'z1.example', to: 'z1-new.example' },
      ],
    });
    const page = await pageOf(w);
    expect(page).toContain('ДА СЕ ИЗГОТВИ ОТНОВО\nВъв версия 1 на файла за октомври 2026 г. липсват 2 промени след изготвянето ѝ.');
    expect(page).toMatch(/Е-магазин № +RF8888888 +RF9999991/);
    expect(page).not.toContain('ГОТОВ ЗА ПОДАВАНЕ');
    expect((await monthsOf(w))[0]).toMatchObject({ month: '2026-10', situation: 'generated', lacks: 2 });
  });

  test('the old version is not taken as filed, unless the agency has exactly that one', async () => {
    await using w = await madeOctober();
    await change(w, RIGHT);
    const filed = monthCall(w, { act: 'filed' });

    expect(await filed({ version: 1 })).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-outdated' } });
    expect(await filed({ version: 1, asIs: true })).toMatchObject({ status: 200 });
  });

  test('a filed month keeps its header, on its page and in the names of its files', async () => {
    await using w = await madeOctober();
    await monthCall(w, { act: 'filed' })({ version: 1 });

    await change(w, RIGHT);

    const { body } = await monthCall(w)();
    expect(body).toMatchObject({
      shop: { shopNumber: 'RF8888888', domain: 'z1.example', companyName: 'Чаши' },
      situation: { kind: 'filed', file: { name: 'audit_RF8888888_2026-10_v1.xml' } },
      changes: { count: 0 },
    });
  });

  test('the reminder says to make it again, and attaches the old version under its own number alone', async () => {
    await using w = await madeOctober();
    await change(w, RIGHT);
    w.setClock('2026-11-13T05:00:00Z');

    const mail = await auditMailOf(w, 'reminder');

    expect(mail.subject).toContain('да се изготви отново');
    expect(mail.attachments).toContain('audit_RF8888888_2026-10_v1.xml');
    expect(mail.attachments.join()).not.toContain('RF9999991');
  });

  test('it is made again on the 12th, and bears the new header', async () => {
    await using w = await madeOctober();
    await change(w, RIGHT);
    expect(await due(w)).toEqual([]);

    w.setClock('2026-11-12T05:00:00Z');
    expect(await due(w)).toEqual(['2026-10']);
    expect(await serve(w)).toEqual({ kind: 'done', generation: 'generated' });

    expect(await headerOf(w, 2)).toEqual(['206770508', 'RF9999991', 'z1-new.example', '1']);
    expect((await monthCall(w)()).body).toMatchObject({ changes: { count: 0 }, situation: { file: { name: 'audit_RF9999991_2026-10_v2.xml' } } });
  });

  test.each([
    ['companyUic', { companyUic: '2067705080016' }, '206770508', '2067705080016'],
    ['eShopType', { eShopType: 2 }, '1', '2'],
  ] as const)('%s is a part of the header, too', async (...[field, body, from, to]) => {
    await using w = await madeOctober();

    const put = field === 'eShopType' ? callerOf(w.server.baseUrl, w.credentials, '/service/v1') : null;
    expect(put === null ? (await change(w, body)).status : (await put('PATCH', `/shops/${w.shopId}`, { body })).status).toBe(200);

    expect((await monthCall(w)()).body['changes']).toEqual({ count: 1, rows: [{ change: 'header', field, from, to }] });
  });

  test('what a file does not bear, and a change that is taken back, make nothing outdated', async () => {
    await using w = await madeOctober();

    await change(w, { companyName: 'Чаши и чинии ООД', companyAddress: 'Варна', name: 'Други чаши' });
    await change(w, { nraNumber: 'RF9999991' });
    await change(w, { nraNumber: 'RF8888888' });

    expect((await monthCall(w)()).body['changes']).toEqual({ count: 0, rows: [] });
    w.setClock('2026-11-12T05:00:00Z');
    expect(await due(w)).toEqual([]);
  });
});

test('a version that leaves out what the shop wants in its files now, or lists what it does not, is to be made again, too', async () => {
  await using w = await madeOctober();
  await w.create(october(2, { paymentType: 'POSTAL_PAYMENT', paymentProcessorName: undefined, transactionId: undefined }));
  await monthCall(w, { act: 'generate' })({ now: true });

  await change(w, { auditNoReceiptOrders: false });
  expect((await monthCall(w)()).body['changes']).toMatchObject({ count: 1, rows: [{ change: 'removed', documentNumber: '0000000002' }] });
  expect(await monthCall(w, { act: 'filed' })({ version: 2 })).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-outdated' } });
  w.setClock('2026-11-12T05:00:00Z');
  expect(await due(w)).toEqual(['2026-10']);
  await serve(w);
  expect((await monthCall(w)()).body).toMatchObject({ changes: { count: 0 }, figures: { orders: 1 } });

  await change(w, { auditNoReceiptOrders: true });
  expect((await monthCall(w)()).body['changes']).toMatchObject({ count: 1, rows: [{ change: 'added', number: '#2' }] });
  w.setClock('2026-11-17T05:00:00Z');
  expect((await monthCall(w)()).body['changes']).toMatchObject({ count: 0 });
});

describe('F1: a change from a month on', () => {
  /** October and November have sales; the shop's number is another one from November on. */
  async function newFromNovember(): Promise<AuditWorld> {
    const w = await madeOctober();
    await w.create({ ...october(2), internalCreatedAt: '2026-11-05T10:00:00+02:00' });
    const { status, body } = await change(w, { ...RIGHT, validFrom: '2026-11' });
    expect({ status, warnings: body['warnings'] }).toMatchObject({
      status: 200,
      warnings: [
        { path: 'nraNumber', message: expect.stringContaining('it counts from 2026-11 on, and files of earlier months bear RF8888888') },
        { path: 'domain' },
      ],
    });
    return w;
  }

  test('earlier months keep the old header, also when they are made again', async () => {
    await using w = await newFromNovember();
    expect((await monthCall(w)()).body).toMatchObject({ changes: { count: 0 }, shop: { shopNumber: 'RF8888888', validUntil: '2026-10' } });

    expect(await monthCall(w, { act: 'generate' })({ now: true })).toMatchObject({ status: 200, body: { version: 2 } });
    w.setClock('2026-12-10T10:00:00Z');
    await serve(w, '2026-11');

    expect(await headerOf(w, 2)).toEqual(['206770508', 'RF8888888', 'z1.example', '1']);
    expect(await headerOf(w, 1, '2026-11')).toEqual(['206770508', 'RF9999991', 'z1-new.example', '1']);
  });

  test('the pages and the interface say from and until when', async () => {
    await using w = await newFromNovember();

    expect(await pageOf(w)).toContain('Е-магазин №: RF8888888\nАдрес: z1.example\nТези данни важат до: октомври 2026 г.');
    expect(await pageOf(w, '2026-11')).toContain('Е-магазин №: RF9999991\nАдрес: z1-new.example\nТези данни важат от: ноември 2026 г.');
    const { body } = await callerOf(w.server.baseUrl, w.credentials, '/service/v1')('GET', `/shops/${w.shopId}`);
    expect(body).toMatchObject({ nraNumber: 'RF9999991', earlier: [{ before: '2026-11', nraNumber: 'RF8888888', domain: 'z1.example' }] });
  });

  test('a correction after it replaces the wrong value wherever it is, and no other', async () => {
    await using w = await newFromNovember();

    await change(w, { nraNumber: 'RF9999992', companyName: 'Нова фирма ООД' });

    expect((await monthCall(w)()).body['shop']).toMatchObject({ shopNumber: 'RF8888888', companyName: 'Чаши' });
    expect((await monthCall(w, { month: '2026-11' })()).body['shop']).toMatchObject({ shopNumber: 'RF9999992', companyName: 'Нова фирма ООД' });
    await change(w, { companyUic: '2067705080016' });
    expect((await monthCall(w)()).body['shop']).toMatchObject({ companyId: '2067705080016' });
  });

  test('a correction that was no correction is taken back in two steps, as the page says', async () => {
    await using w = await madeOctober();
    await change(w, { nraNumber: 'RF9999991' });
    expect(await pageOf(w)).toContain(`orderbridge shop update ${w.shopId} --nra-number NUMBER --valid-from MONTH`);

    await change(w, { nraNumber: 'RF8888888' });
    await change(w, { nraNumber: 'RF9999991', validFrom: '2026-11' });

    expect((await monthCall(w)()).body).toMatchObject({ changes: { count: 0 }, shop: { shopNumber: 'RF8888888' } });
  });

  test.each([
    ['a month to come', { nraNumber: 'RF9999991', validFrom: '2026-12' }, 'must be 2026-11 at the latest: send the change when it counts'],
    ['nothing that files bear', { name: 'Други', validFrom: '2026-11' }, 'goes with one of nraNumber, domain, companyUic, companyName, companyAddress'],
    ['no month', { nraNumber: 'RF9999991', validFrom: '2026-13' }, 'must be a month such as 2026-10'],
  ])('%s is refused', async (_, body, message) => {
    await using w = await madeOctober();

    expect(await change(w, body)).toMatchObject({ status: 400, body: { errors: [{ path: 'validFrom', message }] } });
  });
});

async function monthsOf({ server, credentials, shopId }: AuditWorld): Promise<unknown[]> {
  const { body } = await callerOf(server.baseUrl, credentials, '/service/v1')('GET', `/shops/${shopId}/months`);
  return Array.isArray(body['items']) ? body['items'] : [];
}
