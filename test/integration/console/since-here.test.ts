import { expect, test } from 'vitest';
import { z } from 'zod';
import { writeBridgeActs } from '../../../src/bridge/ledger/bridge-acts.ts';
import { countHours } from '../../../src/bridge/ledger/counts/count-hours.ts';
import { momentName } from '../../../src/console/frame/parts.ts';
import { openSession } from '../../../src/operations/people/sessions.ts';
import type { Pool } from '../../../src/platform/postgres/postgres.ts';
import { readOne, rowsOf } from '../../../src/platform/postgres/read-rows.ts';
import { openEvents } from '../../support/console/event-stream.ts';
import { formOf } from '../../support/console/form-of.ts';
import { issueIn, sendManyToReview } from '../../support/console/review-world.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { orderOf } from '../../support/worlds/bridge.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

const webhookRow = rowsOf('deliveries', z.object({ id: z.string() }));
const HOUR_MS = 3_600_000;

/** As if the person had done nothing for so long. */
async function away(pool: Pool, { person }: SignedInBrowser, hours: number): Promise<string> {
  const at = new Date(Date.now() - hours * HOUR_MS).toISOString();
  await pool.query('update people set seen_at = $2 where id = $1', [person.id, at]);
  await pool.query('update sessions set seen_at = $2 where person = $1', [person.id, new Date(Date.now() - Math.min(hours, 11) * HOUR_MS)]);
  return at;
}

/** What Today says of it; null: nothing. */
async function said(browser: SignedInBrowser): Promise<string | null> {
  const line = /id="since"[^>]*><p>(.*?)<\/p>/s.exec((await browser.get('/console')).text)?.[1];
  return line?.replace(/<[^>]*>/g, '') ?? null;
}

/** Where the words of the line lead to. */
async function listed(browser: SignedInBrowser, words: string): Promise<string> {
  const { text } = await browser.get('/console');
  const href = [...text.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].find(([, , name]) => name === words)?.[1] ?? 'no link';
  return (await browser.get(href.replaceAll('&amp;', '&'))).text;
}

/** One order was recorded five hours ago; since then one is recorded, two wait for a person, and one of them was decided. */
async function handedOver(it: World) {
  const { pool } = it.bridge;
  const connected = await it.bridge.connect({ name: 'Corner' });
  for (const id of ['901', '902']) await it.bridge.send(connected, 'order.paid', { order: orderOf(id) });
  const before = await it.bridge.settled(connected, '901', 'recorded');
  await it.bridge.settled(connected, '902', 'recorded');
  await pool.query(`update steps set began_at = began_at - interval '5 hours', ended_at = ended_at - interval '5 hours' where order_ref = $1`, [before.id]);
  await sendManyToReview(it, connected, { count: 2 });
  const maria = await signIn(it.bridge, { role: 'operator', name: 'Maria <b>' });
  const asked = await it.bridge.settled(connected, '1', 'review');
  await writeBridgeActs(pool, [{ who: `person:${maria.person.id}`, act: 'order.released', connectionId: connected.connection.id, orderRef: asked.id }]);
  await pool.query(
    `insert into incidents (code, subject, failed_check, began_at, seen_at, raised_at, resolved_at, relapses, reported_members)
     select code, '', jsonb_build_object('code', code, 'subject', '', 'level', 'attention', 'count', null, 'total', null, 'since', null, 'words', code, 'verb', null),
       now() - interval '9 hours', now(), now() - raised, case when is_over then now() end, 0, '[]'
     from (values ('disk', interval '1 hour', false), ('queue', interval '2 hours', true), ('old', interval '8 hours', true), ('short', null, true)) i(code, raised, is_over)`,
  );
  return { maria };
}

test('after half an hour away Today says what happened since, and leads to as many; on a first visit, and within one, it says nothing new', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  await handedOver(it);
  const olga = await signIn(it.bridge, { name: 'Olga' });

  expect(await said(olga)).toBeNull();
  await away(pool, olga, 0.4);
  expect(await said(olga)).toBeNull();
  const left = await away(pool, olga, 3);
  const line = `Since you were here (${momentName(left, 'en')}): 1 order recorded · 2 newly in review · 1 decision by Maria &lt;b&gt; · 2 alerts raised, 2 alerts resolved`;
  expect(await said(olga)).toBe(line);
  // The visit goes on.
  await away(pool, olga, 0.2);
  expect(await said(olga)).toBe(line);

  const recorded = await listed(olga, '1 order recorded');
  expect(recorded).toContain(`Recorded since ${momentName(left, 'en')}.`);
  expect(recorded).toContain('<strong>1 order</strong>');
  expect(recorded).toContain('>#902</a>');
  expect(await listed(olga, '2 newly in review')).toContain('<strong>2 orders</strong>');
  const acts = await listed(olga, '1 decision by Maria &lt;b&gt;');
  expect(acts).toContain(`Since ${momentName(left, 'en')}.`);
  expect(acts).toContain('<strong>1 act</strong>');
});

test('what somebody decided themselves is no news to them; a page that renews itself is no visit', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const { maria } = await handedOver(it);
  await away(pool, maria, 3);
  const stopped = new AbortController();
  const events = await openEvents(`${it.bridge.app.consoleUrl}/console/events?page=/console`, { cookie: maria.cookie, signal: stopped.signal });
  await events.next();
  stopped.abort();

  expect((await pool.query('select from people where left_at is not null')).rowCount).toBe(0);
  const line = await said(maria);
  expect(line).toContain('Since you were here');
  expect(line).not.toContain('decision');
});

test('each decision of others is counted, however many somebody made themselves', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const olga = await signIn(it.bridge, { name: 'Olga' });
  const decide = ({ person }: SignedInBrowser, count: number) =>
    pool.query(`insert into acts (who, act) select $1, 'order.released' from generate_series(1, $2::int)`, [`person:${person.id}`, count]);
  await decide(olga, 10_001);
  const { maria } = await handedOver(it);
  await away(pool, olga, 3);

  expect(await said(olga)).toContain(' · 1 decision by Maria');
  await decide(maria, 10_001);
  expect(await said(olga)).toContain(' · 10,002 decisions by Maria');
});

test('an accountant sees no decisions; who was away for long reads of the last 14 days, and of alerts of the last 24 hours', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  await handedOver(it);
  const accountant = await signIn(it.bridge, { role: 'accountant', lang: 'bg' });
  const left = await away(pool, accountant, 24 * 20);

  expect(await said(accountant)).toBe(
    `През последните 14 дни (последно бяхте тук на ${momentName(left, 'bg')}): 2 записани поръчки · 2 нови за проверка · 3 нови предупреждения, 2 отпаднали предупреждения за последните 24 часа`,
  );
});

test('a sign-in elsewhere begins the same visit', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const olga = await signIn(it.bridge);
  const left = await away(pool, olga, 3);

  await openSession({ pool }, { person: olga.person, way: 'password', agent: 'phone' });

  expect(await said(olga)).toContain(momentName(left, 'en'));
});

test('an address that says rubbish says nothing', async () => {
  await using it = await world();
  const olga = await signIn(it.bridge);

  const outside = ['0000-01-01', '-000001-01-01', '+010000-01-01'].map((day) => `recorded_${encodeURIComponent(day)}T00:00:00.000Z`);
  for (const since of ['recorded_2026-02-31T00:00:00.000Z', 'recorded_now', 'removed_2026-11-29T08:12:00.000Z', 'recorded', ...outside])
    expect((await olga.get(`/console/orders?since=${since}`)).text).toContain('No order is known yet.');
  for (const since of ['yesterday', '0000-01-01T00:00:00.000Z']) {
    const { status, text } = await olga.get(`/console/activity?since=${since}`);
    expect(status).toBe(200);
    expect(text).not.toContain('Since');
  }
});

test('“webhook X”, “yesterday”, “handover” and “what changed since yesterday” have an answer in three presses', async () => {
  await using it = await world();
  const { pool } = it.bridge;
  const { maria } = await handedOver(it);
  const day = `interval '1 day'`;
  await pool.query(`update orders set sold_at = to_char((now() - ${day}) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') where order_id = '901'`);
  await pool.query(`update connections set created_at = created_at - interval '3 days'`);
  await pool.query('delete from counts');
  await countHours(pool, new AbortController().signal);
  const olga = await signIn(it.bridge, { name: 'Olga' });
  /** Follows links by their words from Today; the page that the last one leads to. */
  const pressed = async (...names: RegExp[]) => {
    let { text } = await olga.get('/console');
    for (const name of names) {
      const href = [...text.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/gs)].find(([, , words = '']) => name.test(words.replace(/<[^>]*>/g, '')))?.[1];
      text = (await olga.get((href ?? `/no link ${name}`).replaceAll('&amp;', '&'))).text;
    }
    return text;
  };

  const webhook = await readOne(pool, webhookRow, { text: 'select platform_delivery_id as id from deliveries limit 1' });
  const { location } = await olga.post('/console/find', { q: webhook.id });
  expect((await olga.get(location ?? '')).location).toMatch(/^\/console\/webhooks\/[0-9a-f-]{36}$/);

  expect(await pressed()).toContain('Yesterday: ');
  expect(await pressed(/^Orders$/, /^yesterday$/)).toMatch(/<strong>1 order<\/strong>, €/);

  const issue = issueIn((await olga.get('/console/review')).text, 'has no payment type');
  const fields = formOf((await maria.get(issue)).text, `${issue}/assign`);
  await maria.post(`${issue}/assign`, { ...fields, me: '1', person: '', note: 'Borica calls back at ten' });
  expect(await pressed(/^Needs review$/)).toContain('Maria &lt;b&gt;</span>');
  expect(await pressed(/^Needs review$/, /has no payment type/)).toContain('Borica calls back at ten');

  const changed = await pressed(/What changed since yesterday/);
  expect(changed).toContain('aria-current="true">since yesterday</a>');
  expect(changed).toContain('Maria &lt;b&gt;');
});
