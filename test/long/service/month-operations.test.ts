import { describe, expect, test } from 'vitest';
import { createMonthActs } from '../../../src/service/audit/month/month-acts.ts';
import { createMonthMaker } from '../../../src/service/audit/month/month-maker.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import type { Answered } from '../../support/worlds/compliance-caller.ts';
import { extensionCallerOf } from '../../support/worlds/extension-caller.ts';
import { auditDeps, NOVEMBER_IN_TERM, OCTOBER, october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';
import { until } from '../../support/worlds/settled.ts';

const worlds = useServiceWorlds();

type World = AuditWorld & {
  own: string;
  post(act: string, body?: unknown): Promise<Answered>;
  request(method: string, path: string, body?: unknown): Promise<Answered>;
};

/** A shop whose key asks for its months; `own` is where its October is. */
async function world(): Promise<World> {
  const w = await worlds.audit(OCTOBER);
  const request = extensionCallerOf(w.server.baseUrl, w.credentials);
  const own = `/shops/${w.shopId}/months/2026-10`;
  return { ...w, own, request, post: (act, body) => request('POST', `${own}/${act}`, body) };
}

const acts = async ({ server }: World) =>
  (
    await server.pool.query<{ who: string; act: string; after: Record<string, unknown> }>(
      `select who, act, after from compliance.acts where act like 'month.%' order by id`,
    )
  ).rows;

describe('a month, by its key', () => {
  test('is made, filed with number and day, rejected with words, and each act is kept with the key', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);

    const made = await w.post('generate');
    expect(made).toMatchObject({ status: 200, body: { month: '2026-10', version: 1, monthState: 'generated', sums: { orders: 1 } } });
    const filed = await w.post('filed', { version: 1, incomingNumber: '2212И0012345', filedOn: '2026-11-10' });
    expect(filed.body).toMatchObject({ monthState: 'filed', situation: { kind: 'filed', filedOn: '2026-11-10', incomingNumber: '2212И0012345' } });
    const rejected = await w.post('rejected', { words: 'Грешка 12' });
    expect(rejected.body).toMatchObject({ monthState: 'rejected', situation: { kind: 'rejected', words: 'Грешка 12' } });

    const who = `key:${w.credentials.id}`;
    expect(await acts(w)).toMatchObject([
      { who, act: 'month.generated', after: { version: 1 } },
      { who, act: 'month.filed', after: { version: 1, incomingNumber: '2212И0012345', filedOn: '2026-11-10' } },
      { who, act: 'month.rejected', after: { words: 'Грешка 12' } },
    ]);
  });

  test('each act is kept with the key that was used, of several of one owner', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    const second = await w.server.service.keys.add(w.credentials.id, { multiShop: true });
    if (second === null) throw new Error('the owner is known');

    await extensionCallerOf(w.server.baseUrl, second)('POST', `${w.own}/generate`);

    expect(await acts(w)).toMatchObject([{ who: `key:${second.id}`, act: 'month.generated' }]);
  });

  test('each act may be repeated after a lost answer', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.post('generate');

    for (const _ of [1, 2]) expect(await w.post('filed', { version: 1, incomingNumber: 'A1' })).toMatchObject({ status: 200, body: { monthState: 'filed' } });
    expect((await w.post('filed', { version: 1, incomingNumber: 'A2', filedOn: '2026-11-10' })).body).toMatchObject({
      situation: { incomingNumber: 'A2', filedOn: '2026-11-10' },
    });
    for (const _ of [1, 2]) expect(await w.post('rejected', { words: 'Грешка' })).toMatchObject({ status: 200, body: { monthState: 'rejected' } });

    expect((await acts(w)).map(({ act, after }) => [act, after['incomingNumber']])).toEqual([
      ['month.generated', undefined],
      ['month.filed', 'A1'],
      ['month.filed', 'A2'],
      ['month.rejected', undefined],
    ]);
    expect(await w.post('rejected', { words: 'Друга' })).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-not-filed' } });
  });

  test('refuses a version that lacks changes, and says what to do', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.post('generate');
    await w.create(october(2));

    const refused = await w.post('filed', { version: 1 });
    expect(refused).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-outdated' } });
    expect(refused.body['detail']).toMatch(/lacks changes of the month: 1\. Generate another/);
    expect((await w.request('GET', w.own)).body).toMatchObject({ changes: { count: 1 }, situation: { kind: 'generated' } });
    expect(await w.post('filed', { version: 1, asIs: true })).toMatchObject({ status: 200, body: { monthState: 'filed' } });
  });

  test('refuses a month with paid orders that are not recorded, until they are said to be left out', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.post('generate');
    const left = { month: '2026-10', orders: 3, total: '36.00', currency: 'EUR', oldest: '2026-10-03T08:00:00Z', codes: { 'payment.unmapped': 3 } };
    await w.request('PUT', `/shops/${w.shopId}/outstanding`, { at: w.now().toISOString(), months: [left] });

    expect(await w.post('filed', { version: 1 })).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-incomplete' } });
    expect(await w.post('filed', { version: 1, withoutOutstanding: true })).toMatchObject({ status: 200, body: { filedWithout: { orders: 3 } } });
  });

  test.each([
    [{}, 'version'],
    [{ version: 1, filedOn: '2026-11-11' }, 'filedOn'],
    [{ version: 1, filedOn: '2026-11-09' }, 'filedOn'],
    [{ version: 1, filedOn: '2026-02-30' }, 'filedOn'],
    [{ version: 1, incomingNumber: '' }, 'incomingNumber'],
    [{ version: 1, incomingNumber: 'x'.repeat(51) }, 'incomingNumber'],
    [{ version: 1, incomingNumber: 'a\nb' }, 'incomingNumber'],
  ])('refuses %j by the field', async (body, path) => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.post('generate');

    expect(await w.post('filed', body)).toMatchObject({ status: 400, body: { type: 'urn:compliance-service:problem:body-invalid', errors: [{ path }] } });
    expect((await w.request('GET', w.own)).body).toMatchObject({ monthState: 'generated' });
  });

  test('answers a version that does not exist with the last one', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    await w.post('generate');

    const { status, body } = await w.post('filed', { version: 2 });
    expect([status, body['detail']]).toEqual([404, '2026-10 has no such version of its file; the last one is 1']);
  });

  test('that is empty is settled with a note, and not otherwise', async () => {
    await using w = await world();
    expect(await w.post('nothing-to-file', { note: 'Уточнено' })).toMatchObject({
      status: 409,
      body: { type: 'urn:compliance-service:problem:month-not-ready' },
    });
    w.setClock(NOVEMBER_IN_TERM);

    expect(await w.post('generate')).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-empty' } });
    expect(await w.post('nothing-to-file', {})).toMatchObject({ status: 400, body: { errors: [{ path: 'note' }] } });
    expect((await w.post('nothing-to-file', { note: 'Уточнено' })).body).toMatchObject({
      monthState: 'nothing',
      situation: { kind: 'nothing', note: 'Уточнено' },
    });
    await w.create(october(1));
    expect(await w.post('nothing-to-file', { note: 'Друго' })).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-not-empty' } });
  });

  test('that can’t be made says why: not over, a replacement on its way, missing rates, filed', async () => {
    await using w = await world();
    const { id } = await w.create(october(1));
    await w.create(october(2));
    expect((await w.post('generate')).body['detail']).toContain('2026-10 is not over; its file can be made from 2026-11-01 on');
    w.setClock(NOVEMBER_IN_TERM);
    await w.remove(id);

    const waiting = await w.post('generate', {});
    expect([waiting.status, waiting.body['detail']]).toEqual([
      409,
      expect.stringMatching(/replacement may be on its way: ask again after 2026-11-10T10:15:00/),
    ]);
    expect((await w.post('generate', { now: true })).status).toBe(200);
    await w.post('filed', { version: 1 });
    expect(await w.post('generate')).toMatchObject({ status: 409, body: { type: 'urn:compliance-service:problem:month-filed' } });
  });

  test('is listed with the others, newest first', async () => {
    await using w = await world();
    await w.create(october(1));

    expect((await w.request('GET', `/shops/${w.shopId}/months`)).body).toEqual({
      items: [{ month: '2026-10', state: 'open', situation: 'open', orders: 1, version: null, filedVersion: null, deadline: '2026-11-16' }],
      next: null,
    });
  });

  test('of another key’s shop is no month, and a word that is no month is refused', async () => {
    await using w = await world();
    const other = extensionCallerOf(w.server.baseUrl, await w.server.service.keys.create({ multiShop: true }));

    const bodies = { generate: {}, filed: { version: 1, incomingNumber: 'A1' }, rejected: { words: 'Грешка' }, 'nothing-to-file': { note: 'Няма продажби' } };

    for (const [act, body] of Object.entries(bodies)) expect((await other('POST', `${w.own}/${act}`, body)).status, act).toBe(404);
    for (const path of [w.own, `/shops/${w.shopId}/months`]) expect((await other('GET', path)).status, path).toBe(404);
    expect((await w.request('GET', `/shops/${w.shopId}/months/2026-13`)).status).toBe(400);
    expect((await w.request('POST', w.own)).status).toBe(405);
  });
});

describe('a file that takes long', () => {
  test('is answered before it is made, is made once, and its result is in the month', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    const deps = auditDeps(w);
    const months = createMonthActs(deps, createMonthMaker(deps, { timeoutMs: 50, onFailed: () => undefined }));
    const of = { shopId: w.shopId, month: '2026-10' };
    const asked = { ...of, said: { by: 'key:k1' } };
    const lock = await w.server.pool.connect();
    await lock.query('begin');
    await lock.query('lock table compliance.audit_files in share mode');

    expect(await months.generate(asked)).toEqual({ kind: 'making' });
    expect(await months.generate(asked)).toEqual({ kind: 'making' });
    expect(await months.isBeingMade(of)).toBe(true);
    // The server of this world is another part: it sees the making in the database.
    await until(async () => (await w.request('GET', w.own)).body['beingMade'] === true, { what: 'the lock of the file' });
    await lock.query('rollback');
    lock.release();

    await until(async () => !(await months.isBeingMade(of)), { what: 'the file' });
    expect((await w.request('GET', w.own)).body).toMatchObject({ beingMade: false, versions: [{ version: 1 }] });
  });

  test('that fails after the answer is reported', async () => {
    await using w = await world();
    await w.create(october(1));
    w.setClock(NOVEMBER_IN_TERM);
    const failed: unknown[] = [];
    const { make } = createMonthMaker(auditDeps(w), { timeoutMs: 20, onFailed: (err, key) => failed.push([err, key]) });
    const lock = await w.server.pool.connect();
    await lock.query('begin');
    await lock.query('lock table compliance.audit_months');

    expect(await make({ shopId: w.shopId, month: '2026-10', said: { by: 'key:k1' } })).toEqual({ kind: 'making' });
    const cut = `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await w.server.pool.query(cut)).rowCount, { what: 'the query that waits' });
    await lock.query('rollback');
    lock.release();

    await until(() => failed.length > 0, { what: 'the failure' });
    expect(failed).toEqual([[expect.any(Error), { shopId: w.shopId, month: '2026-10' }]]);
  });
});
