import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ShakyStore, type Trouble } from '../../../support/reconciliation/shaky-store.ts';
import { runs } from '../../../support/run-size.ts';

/** Readings after which a store that has no more troubles is read to its end. */
const ENOUGH = 80;

async function readToItsEnd(store: ShakyStore): Promise<void> {
  for (let time = 0; time < ENOUGH && !store.isRead; time += 1) await store.readOnce();
}

const ids = (count: number) => Array.from({ length: count }, (_, n) => String(n));

test('whatever fails in between, every order is handed over and the reading ends: places die, pages and blocks fail, limits end them, processes are killed', async () => {
  const usual = fc.constant<Trouble>('none');
  const trouble = fc.oneof({ weight: 3, arbitrary: usual }, fc.constantFrom<Trouble>('cursors', 'broken', 'cut', 'paused', 'killed'));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 350 }), fc.array(trouble, { maxLength: 60 }), fc.constantFrom(500, 200), async (count, troubles, status) => {
      const left = [...troubles];
      const store = new ShakyStore(count, () => left.shift() ?? 'none');
      store.brokenIs = status;

      await readToItsEnd(store);

      expect(store.isRead).toBe(true);
      expect([...store.handed.keys()].toSorted()).toEqual(ids(count).toSorted());
      expect(store.reading.syncRuns.changes).toBeUndefined();
    }),
    { numRuns: runs(50, 2_000) },
  );
});

test.each([400, 404, 410, 422])(
  'a place that the store no longer takes (%i) is no end: its list is begun anew at once, and what was handed over stays',
  async (status) => {
    let pages = 0;
    const store = new ShakyStore(250, (what) => (what === 'page' && ++pages === 2 ? 'cursors' : 'none'));

    store.refusal = status;

    await store.readOnce();

    expect(store.isRead).toBe(true);
    expect(store.asked.filter(({ path }) => path.startsWith('page')).map(({ path }) => path)).toEqual([
      'page ',
      'page 0/100',
      'page ',
      'page 1/100',
      'page 1/200',
    ]);
    expect(store.handed.size).toBe(250);
    expect(store.warnings).toEqual([]);
  },
);

test('so is a list one page of which failed ten times, if its first page answers', async () => {
  const fails = () => (store.asked.at(-1)?.path === 'page 0/100' ? 'broken' : 'none');
  const store: ShakyStore = new ShakyStore(250, fails);
  for (let time = 0; time < 10; time += 1) await store.readOnce();
  const failed = store.asked.filter(({ path }) => path === 'page 0/100');
  await store.readOnce();

  expect(failed).toHaveLength(10);
  expect(store.asked.filter(({ path }) => path === 'page ')).toHaveLength(2);
  expect(store.reading.syncRuns.changes).toMatchObject({ anew: { times: 1 }, warning: null });
});

test('the place stays as long as the first page does not answer either', async () => {
  const store = new ShakyStore(250, (what) => (what === 'page' && store.asked.length > 11 ? 'broken' : 'none'));
  for (let time = 0; time < 14; time += 1) await store.readOnce();

  expect(store.reading.syncRuns.changes).toMatchObject({ after: '0/100', failures: expect.any(Number), anew: null });
  expect(store.asked.at(-1)?.path).toBe('page ');
});

test('a second time at the same place it goes slower, with a smaller page, and a person is warned', async () => {
  const store: ShakyStore = new ShakyStore(250, () => (store.asked.at(-1)?.path.match(/^page \d+\/1\d\d$/) ? 'cursors' : 'none'));
  await store.readOnce();
  const began = store.now;

  expect(store.reading.syncRuns.changes).toMatchObject({ size: 20, anew: { times: 2 } });
  expect(store.warnings.at(-1)).toMatch(/begun anew 2 times in a row without coming to what changed after 2026-11-21T12:01:39.000Z/);
  await store.readOnce();
  expect(store.now - began).toBeGreaterThan(30_000);
});

test('a sorted list of a store that takes few of its places in a row is read to its end, each order once', async () => {
  let pages = 0;
  const store = new ShakyStore(1_000, (what) => (what === 'page' && ++pages % 4 === 0 ? 'cursors' : 'none'));
  store.isSorted = true;

  await readToItsEnd(store);

  expect(store.isRead).toBe(true);
  expect(store.handed.size).toBe(1_000);
  expect(pages).toBeLessThan(80);
});

test('a limit that ends a block costs that block, makes the next one smaller, and is shown the second time', async () => {
  const store = new ShakyStore(30, () => 'none');
  store.mostAtOnce = 2;
  await store.readOnce();
  const { last, syncRuns } = store.reading;
  expect({ last, warnings: store.warnings, block: syncRuns.changes?.block }).toEqual({ last: null, warnings: [], block: 5 });
  await store.readOnce();
  expect(store.reading.last?.error).toMatch(/longer than 60 s/);
  expect(store.warnings.at(-1)).toMatch(/longer than 60 s; fewer orders are read at once/);

  await readToItsEnd(store);
  expect([...store.handed.values()].every((times) => times === 1)).toBe(true);
  expect(store.handed.size).toBe(30);
});

test('an order that was said to change and can’t be read holds up neither the list nor the others', async () => {
  const store = new ShakyStore(30, () => 'none');
  store.hinted = ['a', 'b', 'c', 'd', 'e'];
  store.unreadable.add('a');
  const listed = () => store.asked.filter(({ path }) => path === 'page ');
  while (!store.isRead && listed().length < 20) await store.readOnce();

  expect(store.isRead).toBe(true);
  expect([...store.unread]).toEqual(['a']);
  expect(['b', 'c', 'd', 'e'].map((id) => store.handed.get(id))).toEqual([1, 1, 1, 1]);
  expect(listed().length).toBeLessThan(5);
});

test('an order that a window looks up and can’t read is given up after few calls, and all others are read', async () => {
  const store = new ShakyStore(30, () => 'none');
  await readToItsEnd(store);
  store.unlisted = ['a', 'b', 'c', 'd', 'e'];
  store.unreadable.add('a');
  store.now += 2 * 86_400_000;
  store.asked.length = 0;
  for (let time = 0; time < 30 && (store.reading.last?.kind !== 'months' || store.reading.last.error !== null); time += 1) await store.readOnce();

  expect(store.reading.last).toMatchObject({ kind: 'months', error: null, unread: 1 });
  expect([...store.unread]).toEqual(['a']);
  expect(['b', 'c', 'd', 'e'].map((id) => store.handed.get(id))).toEqual([1, 1, 1, 1]);
  expect(store.asked.filter(({ path }) => path === 'orders 1')).toHaveLength(5);
});

test.each([500, 200])('an order that breaks each answer in which it is (%i) is noted within the hour, and all others are read', async (status) => {
  const store = new ShakyStore(30, () => 'none');
  store.brokenIs = status;
  store.unreadable.add('13');
  const began = store.now;
  await readToItsEnd(store);

  expect(store.isRead).toBe(true);
  expect([[...store.unread], store.handed.size]).toEqual([['13'], 29]);
  expect(store.now - began).toBeLessThan(3_600_000);
});

test('a store that throttles in the body of an answer is asked for as many orders at a time, and none is given up', async () => {
  const store: ShakyStore = new ShakyStore(30, (what) => (what === 'block' && store.asked.length < 30 ? 'broken' : 'none'));
  Object.assign(store, { brokenIs: 200, bodySays: 429 });
  for (let time = 0; time < 15; time += 1) await store.readOnce();

  expect(store.reading.syncRuns.changes).toMatchObject({ failures: 15, block: null });
  await readToItsEnd(store);
  expect([store.unread.size, store.handed.size]).toEqual([0, 30]);
});

test('a page that the limit ends becomes smaller, and is tried less and less often', async () => {
  const store = new ShakyStore(250, (what) => (what === 'page' && store.asked.length > 1 ? 'cut' : 'none'));
  for (let time = 0; time < 9; time += 1) await store.readOnce();
  const times = store.asked.filter(({ path }) => path === 'page 0/100').map(({ at }) => at);

  expect(store.reading.syncRuns.changes).toMatchObject({ size: 20 });
  expect(times.slice(1).map((at, n) => Math.round((at - (times[n] ?? 0)) / 1000))).toEqual([2, 2, 3, 5, 9, 17, 33, 65]);
});

test('a process that is killed loses one block at most', async () => {
  const store: ShakyStore = new ShakyStore(100, (what) => (what === 'block' && store.asked.length === 7 ? 'killed' : 'none'));
  await store.readOnce();
  expect(store.handed.size).toBe(50);
  await readToItsEnd(store);

  expect(store.handed.size).toBe(100);
  expect([...store.handed.values()].every((times) => times === 1)).toBe(true);
  expect(store.asked.filter(({ path }) => path.startsWith('page'))).toHaveLength(1);
});
