import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../src/app/incidents.ts';
import type { KnownIncident } from '../../../../src/bridge/ledger/alerts/alert-watch.ts';
import { grouped } from '../../../../src/operations/health/group-checks.ts';
import type { FailedCheck, HealthStatus, Level } from '../../../../src/operations/health/health-status.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const BEGIN = Date.parse('2026-11-22T08:00:00Z');

function failedCheck(subject: string, level: Level = 'attention', code: FailedCheck['code'] = 'orders.need-review'): FailedCheck {
  return { code, level, subject, count: 3, total: '36.00 EUR', since: null, words: `Orders wait for a person (${subject}).`, verb: 'review' };
}

function healthOf(failedChecks: FailedCheck[], now: number): HealthStatus {
  const health = failedChecks.some(({ level }) => level === 'failing') ? 'failing' : failedChecks.length > 0 ? 'attention' : 'ok';
  return { health, at: new Date(now).toISOString(), failedChecks };
}

type Told = { at: number; what: 'raised' | 'still' | 'resolved'; subject: string; level: Level };

/** Looks every 30 s, or as the test says, and remembers what was told. */
class Watcher {
  known: KnownIncident[] = [];
  told: Told[] = [];
  threads: string[][] = [];
  said: string[] = [];
  minutes = 0;
  #ids = 0;

  round(failedChecks: FailedCheck[], notAsked: string[]): void {
    const now = BEGIN + this.minutes * MINUTE;
    this.#ids += 1;
    const { keep, alert } = evaluate({
      known: this.known,
      health: healthOf(failedChecks, now),
      notAsked: new Set(notAsked),
      now: new Date(now),
      id: `round-${this.#ids}`,
    });
    this.known = keep;
    if (alert === null) return;
    this.threads.push(alert.threads);
    this.said.push(...[...alert.raised, ...alert.still].map(({ words }) => words));
    for (const what of ['raised', 'still', 'resolved'] as const)
      for (const { subject, level } of alert[what]) this.told.push({ at: this.minutes, what, subject, level });
  }

  /** For so many minutes, a round each half. */
  last(minutes: number, failedChecks: FailedCheck[], notAsked: string[] = []): this {
    for (let i = 0; i < minutes * 2; i += 1) {
      this.round(failedChecks, notAsked);
      this.minutes += 0.5;
    }
    return this;
  }

  get words(): string[] {
    return this.told.map(({ at, what, subject, level }) => `${at} ${what} ${subject} ${level}`);
  }
}

const review = failedCheck('payment.unmapped');

describe('an incident', () => {
  test('is told when it has lasted five minutes, once a day while it lasts, and once when it is over', () => {
    const watcher = new Watcher().last(2 * 24 * 60 + 60, [review]).last(60, []);

    expect(watcher.words).toEqual([
      '5 raised payment.unmapped attention',
      '1445 still payment.unmapped attention',
      '2885 still payment.unmapped attention',
      '2945 resolved payment.unmapped attention',
    ]);
  });

  test('that ends sooner is told to nobody, and leaves nothing behind', () => {
    const watcher = new Watcher().last(4.5, [review]).last(30, []);

    expect([watcher.words, watcher.known]).toEqual([[], []]);
  });

  test('that comes and goes is one incident until it was away for five minutes', () => {
    const watcher = new Watcher();
    for (let i = 0; i < 20; i += 1) watcher.last(2, [review]).last(2, []);
    watcher.last(30, []);

    expect(watcher.words).toEqual(['5 raised payment.unmapped attention', '83 resolved payment.unmapped attention']);
  });

  test('that comes back within a day must be away longer each time', () => {
    const watcher = new Watcher();
    for (let i = 0; i < 3; i += 1) watcher.last(10, [review]).last(6, []);
    watcher.last(300, []);

    expect(watcher.words).toEqual([
      '5 raised payment.unmapped attention',
      '15 resolved payment.unmapped attention',
      '21 raised payment.unmapped attention',
      '62 resolved payment.unmapped attention',
    ]);
  });

  test('that becomes failing is told at once anew, and once however often it changes', () => {
    const watcher = new Watcher().last(10, [review]);
    for (let i = 0; i < 5; i += 1) watcher.last(1, [failedCheck('payment.unmapped', 'failing')]).last(1, [review]);

    expect(watcher.words).toEqual(['5 raised payment.unmapped attention', '10 raised payment.unmapped failing']);
  });

  test('keeps its thread to its end, and another has its own', () => {
    const watcher = new Watcher()
      .last(8, [review])
      .last(8, [review, failedCheck('x')])
      .last(20, [failedCheck('x')]);

    expect(watcher.threads).toEqual([['round-11'], ['round-27'], ['round-11']]);
  });
});

test('all that is due at one round is one message', () => {
  const watcher = new Watcher()
    .last(10, [failedCheck('a'), failedCheck('b', 'failing'), failedCheck('c')])
    .last(4, [failedCheck('d')])
    .last(4, [failedCheck('d')]);

  expect(watcher.threads).toHaveLength(2);
  expect(watcher.words).toEqual([
    '5 raised b failing',
    '5 raised a attention',
    '5 raised c attention',
    '15 raised d attention',
    '15 resolved b failing',
    '15 resolved a attention',
    '15 resolved c attention',
  ]);
});

test('what could not be asked is not taken for over; what could is', () => {
  const down = failedCheck('', 'failing', 'queue.down');
  const watcher = new Watcher().last(6, [review, down]).last(120, [], ['orders.need-review']);

  expect(watcher.words).toEqual(['5 raised  failing', '5 raised payment.unmapped attention', '11 resolved  failing']);
  expect(watcher.last(30, []).words.slice(3)).toEqual(['131 resolved payment.unmapped attention']);
});

test('a pause without a round is no proof that an incident lasted', () => {
  const watcher = new Watcher().last(1, [review]);
  watcher.minutes += 180;

  expect(watcher.last(4.5, [review]).words).toEqual([]);
  expect(watcher.last(1, [review]).words).toEqual(['186 raised payment.unmapped attention']);
});

describe('one cause of many stores', () => {
  const store = (n: number): FailedCheck => ({ ...failedCheck(`store ${n}`, 'attention', 'store.paused'), of: { cause: 'the key', names: [`store ${n}`] } });
  const stores = (count: number) => grouped(Array.from({ length: count }, (_, n) => store(n)));

  test('is one incident, however many come to have it while it is told', () => {
    const watcher = new Watcher();
    for (let count = 1; count <= 1_990; count += 199) watcher.last(1, stores(count));
    watcher.last(50, stores(1_990)).last(60, []);

    expect(watcher.words).toEqual(['6 raised the key attention', '65 resolved the key attention']);
  });

  test('that some had before is not over for them, and is told of them no more', () => {
    const watcher = new Watcher()
      .last(10, stores(3))
      .last(26 * 60, stores(4))
      .last(60, stores(2));

    const alone = ['store 0', 'store 1', 'store 2'];
    expect(watcher.words).toEqual([
      ...alone.map((name) => `5 raised ${name} attention`),
      '15 raised the key attention',
      '1455 still the key attention',
      // It is told of two as it would have been all the time.
      '1570 still store 0 attention',
      '1570 still store 1 attention',
      '1575 resolved store 2 attention',
    ]);
  });

  test('is told anew an hour later, if more have it', () => {
    const watcher = new Watcher()
      .last(30, stores(40))
      .last(10, stores(41))
      .last(90, stores(39))
      .last(26 * 60, stores(41));

    expect(watcher.words).toEqual(['5 raised the key attention', '130 raised the key attention', '1570 still the key attention']);
  });

  test('names those that came to have it since, however many have it by then, once a day', () => {
    const words: string[] = [];
    const watcher = new Watcher();
    const seen = (minutes: number, count: number) => {
      watcher.last(minutes, stores(count));
      words.push(...watcher.said.splice(0));
    };
    for (const [minutes, count] of [
      [30, 4],
      [60, 5],
      [90, 4],
      [90, 5],
      [30, 6],
    ] as const)
      seen(minutes, count);

    expect(words.map((one) => /New among them: (.*)\.$/.exec(one)?.[1] ?? null)).toEqual([null, 'store 4', 'store 5']);
  });

  test('names another store of a name that is known, and no store that is called otherwise since', () => {
    const renamed = (names: readonly string[]) => grouped(names.map((name, n) => ({ ...store(n), of: { cause: 'the key', names: [name] } })));
    const watcher = new Watcher();

    watcher.last(70, renamed(['Lipa', 'Sova', 'Book', 'Tea'])).last(70, renamed(['Linden', 'Sova', 'Book', 'Tea']));
    expect(watcher.words).toEqual(['5 raised the key attention']);

    watcher.last(70, renamed(['Linden', 'Sova', 'Book', 'Tea', 'Sova']));
    expect(watcher.said.at(-1)).toMatch(/New among them: Sova\.$/);
  });

  test('is not over while it is told of few one by one, and each of them is told', () => {
    const watcher = new Watcher().last(10, stores(2)).last(30, stores(4)).last(30, stores(3)).last(30, []);

    expect(watcher.words).toEqual([
      '5 raised store 0 attention',
      '5 raised store 1 attention',
      '15 raised the key attention',
      '45 raised store 2 attention',
      '75 resolved store 0 attention',
      '75 resolved store 1 attention',
      '75 resolved store 2 attention',
      '75 resolved the key attention',
    ]);
  });

  test('is one incident, whatever levels it has', () => {
    const failing = (count: number) => Array.from({ length: count }, (_, n) => ({ ...store(n + 10), level: 'failing' as const }));
    const mixed = grouped([...Array.from({ length: 4 }, (_, n) => store(n)), ...failing(4)]);
    const watcher = new Watcher().last(10, stores(4)).last(30, mixed).last(30, []);

    expect(watcher.words).toEqual(['5 raised the key attention', '10 raised the key failing', '45 resolved the key failing']);
  });
});

/** Stretches of time with some incidents each: which of three, at which level, for how many half minutes. */
const stretches = fc.array(
  fc.record({
    halves: fc.integer({ min: 1, max: 600 }),
    levels: fc.record(
      {
        a: fc.constantFrom<Level>('attention', 'failing'),
        b: fc.constantFrom<Level>('attention', 'failing'),
        c: fc.constantFrom<Level>('attention', 'failing'),
      },
      { requiredKeys: [] },
    ),
    blind: fc.boolean(),
  }),
  { maxLength: 30 },
);

property.prop([stretches], { numRuns: 30 })('whatever happens, nobody is flooded, and what was raised is resolved once', (life) => {
  const watcher = new Watcher();
  for (const { halves, levels, blind } of life) {
    const failedChecks = Object.entries(levels).map(([subject, level]) => failedCheck(subject, level));
    watcher.last(halves / 2, failedChecks, blind ? ['orders.need-review'] : []);
  }
  watcher.last(2 * 24 * 60, []);

  for (const subject of ['a', 'b', 'c']) {
    const of = watcher.told.filter((told) => told.subject === subject);
    // Raised, then any number of others, then resolved; and so on.
    const order = of.map(({ what, level }) => (what === 'raised' ? (level === 'failing' ? 'F' : 'A') : what === 'still' ? 's' : 'e')).join('');
    expect(order).toMatch(/^((AF?|F)(s|F)*e)*$/);
    // Without ends: a day between two, but for the one that says that it became failing.
    for (const [i, { at, what }] of of.entries()) if (what === 'still') expect((at - (of[i - 1]?.at ?? 0)) * MINUTE).toBeGreaterThanOrEqual(DAY);
    for (const { at } of of) expect(of.filter((told) => told.what === 'raised' && told.at >= at && told.at < at + 24 * 60).length).toBeLessThanOrEqual(24);
    for (const { at } of of) expect(of.filter((told) => told.what === 'resolved' && told.at >= at && told.at < at + 24 * 60).length).toBeLessThanOrEqual(10);
  }
  expect(watcher.known).toEqual([]);
});
