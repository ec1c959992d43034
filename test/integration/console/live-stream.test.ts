import { expect, test } from 'vitest';
import { writeBridgeActs } from '../../../src/bridge/ledger/bridge-acts.ts';
import { inTransaction, type Pool, reserveConnection } from '../../../src/platform/postgres/postgres.ts';
import { openEvents, type StreamedEvent } from '../../support/console/event-stream.ts';
import { type SignedInBrowser, signIn } from '../../support/console/signed-in.ts';
import { longTest } from '../../support/long-test.ts';
import { BY } from '../../support/samples/by.ts';
import { until } from '../../support/worlds/settled.ts';
import { useSharedWorlds } from '../../support/worlds/shared-worlds.ts';
import type { World } from '../../support/worlds/world.ts';

const world = useSharedWorlds();

async function act(pool: Pool, subject: string): Promise<void> {
  await inTransaction(pool, (tx) => writeBridgeActs(tx, [{ who: BY, act: 'queue.resumed', subject }]));
}

type Opening = { mark?: string; lastEventId?: string; more?: string };

/** A stream that is read in the background until it is closed. */
async function stream(it: World, { cookie }: SignedInBrowser, { mark, lastEventId, more = '' }: Opening) {
  const stopped = new AbortController();
  const query = mark === undefined ? '' : `mark=${encodeURIComponent(mark)}`;
  const events = await openEvents(`${it.bridge.app.consoleUrl}/console/live/stream?${query}${more}`, { cookie, lastEventId, signal: stopped.signal });
  const got: StreamedEvent[] = [];
  const reading = (async () => {
    for await (const event of events) got.push(event);
  })().catch((error: unknown) => {
    if (!stopped.signal.aborted) throw error;
  });
  const lines = () => got.flatMap(({ event, data }) => (event === 'lines' ? (data as { key: string; markup: string }[]) : []));
  return {
    got,
    ended: reading,
    lines,
    subjects: () => lines().map(({ markup }) => subjectOf(markup)),
    newest: () => got.findLast(({ id }) => id !== null)?.id ?? '',
    async hears(subject: string) {
      await until(() => lines().some(({ markup }) => markup.includes(`(${subject})`)), { what: `${subject} to be streamed` });
    },
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await reading;
    },
  };
}

const subjectOf = (markup: string) => /\(([^)]*)\)/.exec(markup)?.[1];

async function pageOf(browser: SignedInBrowser) {
  const { text } = await browser.get('/console/live');
  return { text, mark: /data-mark="([^"]+)"/.exec(text)?.[1] ?? '', keys: [...text.matchAll(/<li data-key="([^"]+)"/g)].map(([, key]) => key) };
}

test('a stream from the mark of a page has what happened since the page was made, once, and nothing that the page has', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const browser = await signIn(it.bridge);
  await act(pool, 'before');
  using early = await reserveConnection(pool);
  await early.client.query('begin');
  await writeBridgeActs(early.client, [{ who: BY, act: 'queue.resumed', subject: 'begun before' }]);
  const page = await pageOf(browser);
  await act(pool, 'between');
  await early.client.query('commit');

  await using live = await stream(it, browser, { mark: page.mark });
  await act(pool, 'after');
  await live.hears('after');

  expect(page.text).toContain('(before)');
  expect(page.text).not.toContain('(begun before)');
  expect(live.subjects().toSorted()).toEqual(['after', 'begun before', 'between']);
  expect(live.lines().filter(({ key }) => page.keys.includes(key))).toEqual([]);
});

test('a connection that breaks goes on where it broke: Last-Event-ID counts, not the mark of its address', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const browser = await signIn(it.bridge);
  const { mark } = await pageOf(browser);
  const subjects: unknown[] = [];
  let lastEventId: string | undefined;

  for (let round = 1; round <= 4; round += 1) {
    await act(pool, `${round} while it was broken`);
    await using live = await stream(it, browser, { mark, ...(lastEventId === undefined ? {} : { lastEventId }) });
    await act(pool, `${round} while it was open`);
    await live.hears(`${round} while it was open`);
    subjects.push(...live.subjects());
    lastEventId = live.newest();
  }

  expect(subjects).toEqual([1, 2, 3, 4].flatMap((round) => [`${round} while it was broken`, `${round} while it was open`]));
});

test('a pause that began before the stream was opened is in the page or in the stream, once', async () => {
  await using it = await world({ role: 'console' });
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  const { destinations } = it.bridge.app.core;
  const pause = (shopId: string | null, code: 'compliance.failing' | 'compliance.misconfigured') =>
    destinations.pause({ destinationId: connection.destinationId, callType: 'records', shopId, code, detail: '502' }, () => 60_000);
  const browser = await signIn(it.bridge);
  await pause(null, 'compliance.failing');
  const page = await pageOf(browser);
  await pause(connection.shopId, 'compliance.misconfigured');
  // Probed in vain meanwhile.
  await it.bridge.pool.query('update pauses set failures = failures + 1');

  await using live = await stream(it, browser, { mark: page.mark });
  await act(it.bridge.pool, 'the last');
  await live.hears('the last');

  expect(page.text.match(/paused: [\w.]+/g)).toEqual(['paused: compliance.failing']);
  expect(JSON.stringify(live.lines()).match(/paused: [\w.]+/g)).toEqual(['paused: compliance.misconfigured']);
});

test('what is written again keeps its key, by which the page knows that it shows it', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const { connection } = await it.bridge.connect({ name: 'Corner' });
  const last = { at: new Date().toISOString(), kind: 'changes', seen: 7, handed: 2 };
  await pool.query('insert into store_syncs (connection_id, last) values ($1, $2)', [connection.id, JSON.stringify(last)]);
  const browser = await signIn(it.bridge);
  const page = await pageOf(browser);
  await pool.query('update store_syncs set missed = missed + 1');

  await using live = await stream(it, browser, { mark: page.mark });
  await until(() => live.lines().length > 0, { what: 'the reading of the store to be streamed again' });

  expect(live.lines().map(({ key }) => key)).toEqual(page.keys.filter((key) => key?.startsWith('sync')));
});

const NOW = new Date().toISOString();
const ELEVEN_MINUTES_AGO = new Date(Date.now() - 11 * 60_000).toISOString();

test.each([
  ['older than what a page shows', `${ELEVEN_MINUTES_AGO}/700:700:`],
  ['from the future', '2199-01-01T00:00:00.000Z/700:700:'],
  ['empty', ''],
  ['without a snapshot', NOW],
  ['with a snapshot that ends before it begins', `${NOW}/700:699:`],
  ['with transactions that fall', `${NOW}/700:710:705,704`],
  ['with a transaction outside', `${NOW}/700:710:710`],
  ['with a number that is too large', `${NOW}/700:99999999999999999999:`],
  ['of a day that is none', '2026-02-31T00:00:00.000Z/700:700:'],
  ['with SQL', `${NOW}/700:700:'; drop table orders; --`],
  ['too long', `${NOW}/1:99999:${Array.from({ length: 2_000 }, (_, i) => i + 1).join(',')}`],
])('a mark %s has the page loaded anew', async (_what, mark) => {
  await using it = await world({ role: 'console' });
  const browser = await signIn(it.bridge);

  for (const opening of [{ mark }, ...(mark === '' ? [] : [{ lastEventId: mark }])]) {
    await using live = await stream(it, browser, opening);
    await live.ended;
    expect(live.got).toEqual([{ event: 'ended', data: null, id: null }]);
  }
});

test('two marks in an address are none', async () => {
  await using it = await world({ role: 'console' });
  const browser = await signIn(it.bridge);
  const { mark } = await pageOf(browser);

  await using live = await stream(it, browser, { mark, more: `&mark=${encodeURIComponent(mark)}` });
  await live.ended;

  expect(live.got).toMatchObject([{ event: 'ended' }]);
});

test('a stream goes on from a mark with no more lines than a page has', async () => {
  await using it = await world({ role: 'console' });
  const { pool } = it.bridge;
  const browser = await signIn(it.bridge);
  const { mark } = await pageOf(browser);
  await inTransaction(pool, (tx) =>
    writeBridgeActs(
      tx,
      Array.from({ length: 300 }, (_, n) => ({ who: BY, act: 'queue.resumed' as const, subject: `${n}` })),
    ),
  );

  await using live = await stream(it, browser, { mark });
  await until(() => live.lines().length > 0, { what: 'lines' });

  expect(live.got[0]?.data).toHaveLength(200);
});

longTest('a stream in which nothing happens says how far it came, so that its mark does not grow old', async () => {
  await using it = await world({ role: 'console' });
  const browser = await signIn(it.bridge);
  await using live = await stream(it, browser, { mark: (await pageOf(browser)).mark });

  await until(() => live.got.length >= 2, { what: 'two marks' });

  expect(live.got.map(({ event, data }) => [event, data])).toEqual([
    ['lines', []],
    ['lines', []],
  ]);
  expect(new Set(live.got.map(({ id }) => id)).size).toBe(2);
});
