import { describe, expect, test } from 'vitest';
import { generateMonth } from '../../../src/service/audit/month/generate-month.ts';
import { listMonths } from '../../../src/service/audit/month/list-months.ts';
import { boardShops, outlineMonths } from '../../../src/service/audit/month/month-board.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { callerOf } from '../../support/worlds/compliance-caller.ts';
import { auditDeps, OCTOBER, october } from '../../support/worlds/october.ts';
import { due, ofMonth, queuedMails, serve, settle, summaryOf } from '../../support/worlds/served-month.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (): Promise<AuditWorld> => worlds.audit(OCTOBER);

async function versions({ server }: AuditWorld): Promise<number> {
  return (await server.pool.query('select from compliance.audit_files')).rowCount ?? 0;
}

const put = (w: AuditWorld, body: Record<string, unknown>) => w.call('PUT', `/shop/${w.shopId}`, { body });

/** October has two orders and version 1, made and mailed on the shop's day. */
async function served(): Promise<AuditWorld & { ids: string[] }> {
  const w = await world();
  const ids = [];
  for (const n of [1, 2]) ids.push((await w.create(october(n))).id);
  w.setClock('2026-11-06T10:00:00Z');
  await put(w, { auditGenerationDay: 6 });
  await serve(w);
  return { ...w, ids };
}

describe('F8: no identical version is made and mailed', () => {
  test('a sale that is deleted after the term is a return of a later month, and no change of its own', async () => {
    await using w = await served();
    w.setClock('2026-11-17T10:00:00Z');
    await w.remove(w.ids[0] ?? '');

    w.setClock('2026-11-17T11:00:00Z');
    expect(await due(w)).toEqual([]);
    expect(await versions(w)).toBe(1);
    expect((await summaryOf(w)).changes.count).toBe(0);
  });

  test.each<[string, (w: AuditWorld & { ids: string[] }) => Promise<unknown>]>([
    [
      'an order that is deleted and recorded again as it was',
      async (w) => {
        await w.remove(w.ids[1] ?? '');
        await w.create(october(2));
      },
    ],
    ['a setting that concerns no order of the month', (w) => put(w, { auditNoReceiptOrders: false })],
    [
      'a kind of shop that is said, as it was by the domain',
      (w) => callerOf(w.server.baseUrl, w.credentials, '/service/v1')('PATCH', `/shops/${w.shopId}`, { body: { eShopType: 1 } }),
    ],
    [
      'an order that came and went',
      async (w) => {
        const { id } = await w.create(october(3));
        await w.remove(id);
      },
    ],
  ])('%s makes no other version on the 12th, and the one that is there is whole', async (_, act) => {
    await using w = await served();
    w.setClock('2026-11-07T10:00:00Z');
    await act(w);

    w.setClock('2026-11-12T10:00:00Z');
    for (const month of await due(w)) expect(await serve(w, month)).toEqual({ kind: 'done', generation: 'same' });

    expect([await versions(w), await queuedMails(w)]).toEqual([1, ['audit-file']]);
    expect((await summaryOf(w)).changes.count).toBe(0);
    expect(await due(w)).toEqual([]);
  });

  test('a version that a person made before the shop’s day is mailed on it, and not made again', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock('2026-11-02T10:00:00Z');
    await generateMonth(auditDeps(w), ofMonth(w));
    expect(await queuedMails(w)).toEqual([]);

    w.setClock('2026-11-10T10:00:00Z');
    expect(await serve(w)).toEqual({ kind: 'done', generation: 'same' });

    expect([await versions(w), await queuedMails(w)]).toEqual([1, ['audit-file']]);
    expect(await due(w)).toEqual([]);
  });

  test('what changed makes another one', async () => {
    await using w = await served();
    w.setClock('2026-11-07T10:00:00Z');
    await w.create(october(3));

    w.setClock('2026-11-12T10:00:00Z');
    expect(await serve(w)).toEqual({ kind: 'done', generation: 'generated' });
    expect([await versions(w), await queuedMails(w)]).toEqual([2, ['audit-file', 'audit-file']]);
  });
});

describe('F9: no month is listed for ever because it was asked for', () => {
  const rows = async ({ server }: AuditWorld) => (await server.pool.query('select from compliance.audit_months')).rowCount;

  test.each(['generate', 'nothing-to-file'])('%s of a month before the shop existed here is refused, and nothing is written', async (act) => {
    await using w = await world();
    w.setClock('2026-11-10T10:00:00Z');
    const call = callerOf(w.server.baseUrl, w.credentials, '/service/v1');

    const answer = await call('POST', `/shops/${w.shopId}/months/2024-01/${act}`, { body: act === 'generate' ? {} : { note: 'Няма' } });

    expect(answer).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-not-ours' } });
    expect(answer.body['detail']).toContain('the shop is here since 2026-10');
    expect(await rows(w)).toBe(0);
    expect((await call('GET', `/shops/${w.shopId}/months`)).body['items']).toEqual([]);
    expect(await outlineMonths(auditDeps(w), await boardShops(w.server.pool, [w.shopId]))).toMatchObject([{ month: '2026-11' }, { month: '2026-10' }]);
  });

  test('a month before it with a sale is the shop’s, and one that the sweeper passed by is not listed', async () => {
    await using w = await world();
    await w.create(october(1, { internalCreatedAt: '2026-09-10T10:15:00+03:00' }));
    w.setClock('2026-11-10T10:00:00Z');
    for (const month of await due(w)) await serve(w, month);

    const listed = await listMonths(auditDeps(w), w.shopId);
    expect(listed.map(({ situation }) => situation)).not.toContain('not-ours');
    expect(await settle(w, '2026-08')).toEqual({ ok: false, why: 'not-ours', since: '2026-10' });
  });
});
