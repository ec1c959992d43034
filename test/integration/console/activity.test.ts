import { expect, test } from 'vitest';
import { writeBridgeActs } from '../../../src/bridge/ledger/bridge-acts.ts';
import { keptOrders } from '../../../src/bridge/ledger/orders/read-orders.ts';
import { dayName } from '../../../src/contract/local-text.ts';
import { type ActivityMark, listActivity, markAfter } from '../../../src/operations/activity/list-activity.ts';
import { sofiaDay } from '../../../src/service/law/calendar.ts';
import { sendManyToReview } from '../../support/console/review-world.ts';
import { signIn } from '../../support/console/signed-in.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';

const world = useSharedWorlds();

test('every act is listed once, page by page, with who did it by their name, and what changed', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge, { name: 'Maria <b>' });
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  const settings = (n: number) => ({ payments: { econt: { paymentType: `TYPE_${n}<i>` } } });
  for (let n = 0; n < 60; n += 1) {
    const act = { who: `person:${browser.person.id}`, act: 'settings.changed', connectionId: connection.id, why: `=why ${n}` } as const;
    await writeBridgeActs(it.bridge.pool, [{ ...act, before: settings(n), after: settings(n + 1) }]);
  }

  const first = await browser.get(`/console/activity?who=person:${browser.person.id}`);
  const next = /href="(\/console\/activity\?[^"]*after=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await browser.get(next);
  const back = /rel="prev" href="([^"]*)"/.exec(second.text)?.[1]?.replaceAll('&amp;', '&') ?? '';

  const whys = [...`${first.text}${second.text}`.matchAll(/=why (\d+)/g)].map(([, n]) => Number(n));
  expect(whys).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
  expect(first.text).toContain('1–50 of 61');
  expect(second.text).toContain('51–61 of 61');
  expect((await browser.get(back)).text.split('<main')[1]).toBe(first.text.split('<main')[1]);
  expect(first.text).toContain('Maria &lt;b&gt;');
  expect(first.text).toContain('<del>TYPE_59&lt;i&gt;</del> <ins>TYPE_60&lt;i&gt;</ins>');
  expect(second.text).not.toMatch(/href="[^"]*after=/);
  expect((await browser.get('/console/activity?act=order.resolved')).text).toContain('Nothing of this kind was done.');

  const csv = await browser.get('/console/activity.csv?act=settings.changed');
  expect(csv.headers.get('content-disposition')).toMatch(/activity-\d{4}-\d{2}-\d{2}\.csv/);
  expect(csv.text.split('\r\n').filter((line) => line.includes('settings.changed'))).toHaveLength(60);
  expect(csv.text).toContain("'=why 59");
});

test('orders that were released together are one row; acts are found by day, store, order and person', async () => {
  await using it = await world();
  const browser = await signIn(it.bridge);
  const connected = await it.bridge.connect({ name: 'Corner' });
  await sendManyToReview(it, connected, { count: 12 });
  const { connection } = connected;
  const { orders } = await keptOrders(it.bridge.pool, { limit: 20 });
  const by = `person:${browser.person.id}`;
  await writeBridgeActs(
    it.bridge.pool,
    orders.map(({ id }) => ({ who: by, act: 'order.released', connectionId: connection.id, orderRef: id })),
  );
  const page = async (query: Record<string, string>) => (await browser.get(`/console/activity?${new URLSearchParams(query)}`)).text;
  const today = sofiaDay(new Date().toISOString());

  const released = await page({ act: 'order.released', store: connection.id, who: by, from: today, to: today });

  expect(released).toContain('<strong>12 acts</strong>');
  expect(released.match(/<tr><td/g)).toHaveLength(1);
  expect(released).toContain('<details><summary>12 orders</summary>');
  expect(released).toContain('aria-current="true">today</a>');
  expect(released).toContain(`<h2>${dayName(today, 'en')}</h2>`);
  expect(await page({ order: '7', act: 'order.released' })).toContain('<strong>1 act</strong>');
  expect(await page({ order: '4711' })).toContain('Nothing of this kind was done.');
  expect(await page({ to: '2020-01-01' })).toContain('Nothing of this kind was done.');
  expect(await page({ from: 'x', who: by })).toContain('<strong>13 acts</strong>');
});

test('in Bulgarian acts are named in Bulgarian; an unreadable mark is the beginning', async () => {
  await using it = await world();
  await it.bridge.connect({ name: 'Corner' });
  const browser = await signIn(it.bridge, { lang: 'bg' });

  const page = await browser.get('/console/activity?after=rubbish');

  expect(page).toMatchObject({ status: 200 });
  expect(page.text).toContain('Магазин беше свързан');
});

test.each(['/console/activity', '/console/activity.csv', '/console/live'])('%s is not for accountants, and says for whom it is', async (path) => {
  await using it = await world();

  const page = await (await signIn(it.bridge, { role: 'accountant' })).get(path);

  expect(page).toMatchObject({ status: 403 });
  expect(page.text).toContain('Only owner, operator, viewer can do this.');
});

test('acts whose ids and instants are in another order, of both audit logs, are each listed once, page by page', async () => {
  await using it = await world({ embeddedService: true });
  const { pool } = it.bridge;
  const { core } = it.bridge.app;
  const who = 'cli:test@here';
  const write = (schema: string, seconds: number[]) =>
    pool.query(
      `insert into ${schema}.acts (at, who, act) select timestamptz '2026-11-01 10:00:00Z' + s * interval '1 second', $1, 'order.released' from unnest($2::int[]) s`,
      [who, seconds],
    );
  await write('bridge', [1, 5, 3, 7, 4]);
  await write('compliance', [2, 9, 6]);
  const paged = async (size: number) => {
    const listed: string[] = [];
    let before: ActivityMark = { bridge: null, compliance: null };
    for (;;) {
      const acts = await listActivity(core, { who, before, limit: size + 1 });
      listed.push(...acts.slice(0, size).map(({ at, auditLog }) => `${auditLog} ${at.slice(18, 19)}`));
      if (acts.length <= size) return listed;
      before = markAfter(acts.slice(0, size), before);
    }
  };

  const all = await paged(100);

  expect(all).toEqual(['compliance 6', 'compliance 9', 'bridge 4', 'bridge 7', 'bridge 3', 'bridge 5', 'compliance 2', 'bridge 1']);
  for (const size of [1, 2, 3]) expect(await paged(size)).toEqual(all);
});
