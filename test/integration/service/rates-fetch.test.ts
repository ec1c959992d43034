import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createPool } from '../../../src/platform/postgres/postgres.ts';
import { migrateService } from '../../../src/service/database/service-tables.ts';
import { fetchRates, refreshRates } from '../../../src/service/rates/fetch-rates.ts';
import { createRateLookup, listRates } from '../../../src/service/rates/stored-rates.ts';
import { euroSheet, publish } from '../../support/samples/rates.ts';
import { freePort } from '../../support/servers/free-port.ts';
import { openPool } from '../../support/servers/open-pool.ts';
import { startPostgres, type TestPostgres } from '../../support/servers/postgres.ts';
import { type Answerer, startHttpServer, startTcpServer } from '../../support/servers/raw-server.ts';
import { until } from '../../support/worlds/settled.ts';

const FRIDAY = '2026-11-20';
const before18 = () => new Date('2026-11-20T15:59:00Z');
const after18 = () => new Date('2026-11-20T16:05:00Z');
const thursdaySheet = euroSheet('2026-11-19', { USD: '1.1720', GBP: '0.8731' });
const fridaySheet = euroSheet(FRIDAY, { USD: '1.1735', GBP: '0.8740' });

let postgres: TestPostgres;
let pool: pg.Pool;
let endPool: () => Promise<void>;

beforeAll(async () => {
  postgres = await startPostgres();
  ({ pool, end: endPool } = openPool(postgres.url));
  await migrateService(pool);
});
beforeEach(async () => {
  await pool.query('truncate compliance.rate_sheets cascade');
});
afterAll(async () => {
  await endPool();
  await postgres[Symbol.asyncDispose]();
});

async function bankThat(answer: Answerer) {
  const server = await startHttpServer(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

function bankWith(sheet: string) {
  return bankThat((response) => response.end(sheet));
}

test('a bank that answers slowly costs no connection to the database', async () => {
  const { url } = await bankThat((response) => setTimeout(() => response.end(fridaySheet), 1_500));
  const impatient = createPool({ url: postgres.url, schema: 'compliance', max: 2, silenceMs: 1_000, onError: () => undefined });
  onTestFinished(() => impatient.end());

  expect(await fetchRates(impatient, { url, now: after18 })).toMatchObject({ ok: true, sheet: FRIDAY });
});

describe('a sheet', () => {
  test('is fetched and stored; fetched again it changes nothing', async () => {
    const { url, seen } = await bankWith(fridaySheet);

    const first = await fetchRates(pool, { url: `${url}/index.htm?download=xml&search=&lang=EN`, now: after18 });
    const second = await fetchRates(pool, { url, now: after18 });

    expect([first, second]).toEqual([
      { ok: true, sheet: FRIDAY, added: 2, unchanged: 0 },
      { ok: true, sheet: FRIDAY, added: 0, unchanged: 2 },
    ]);
    expect(seen[0]).toMatchObject({ method: 'GET', path: '/index.htm?download=xml&search=&lang=EN' });
  });

  test('may come compressed, and in the form until 2025', async () => {
    const old = '<ROWSET><ROW><CODE>USD</CODE><RATIO>1</RATIO><RATE>1.66</RATE><CURR_DATE>30.12.2025</CURR_DATE></ROW></ROWSET>';
    const { url } = await bankThat((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(old)));

    expect(await fetchRates(pool, { url, now: after18 })).toMatchObject({ ok: true, sheet: '2025-12-30' });
    expect(await listRates(pool, {})).toMatchObject([{ base: 'BGN', multiply: '1.66', divide: '1' }]);
  });

  test('after 18:00 says that it counts today as well, before 18:00 only until yesterday', async () => {
    const { url } = await bankWith(thursdaySheet);
    const lookUp = () => createRateLookup({ pool })('USD', FRIDAY);

    await fetchRates(pool, { url, now: before18 });
    const early = await lookUp();
    await fetchRates(pool, { url, now: after18 });

    expect(early).toBeNull();
    expect(await lookUp()).toMatchObject({ publishedOn: '2026-11-19' });
  });

  test('counts from the time of the request, not of the response', async () => {
    const times = [before18(), after18()];
    const { url } = await bankWith(thursdaySheet);

    await fetchRates(pool, { url, now: () => times.shift() ?? after18() });

    expect(await createRateLookup({ pool })('USD', FRIDAY)).toBeNull();
  });

  test('with another rate than the stored one is refused', async () => {
    await publish(pool, { [FRIDAY]: { USD: '1.2' } });
    const { url } = await bankWith(fridaySheet);

    const fetched = await fetchRates(pool, { url, now: after18 });

    expect(fetched).toMatchObject({ ok: false, busy: false, why: expect.stringContaining('1 EUR = 1.2 USD is stored, 1 EUR = 1.1735 USD is given') });
  });

  test('is found behind a redirect to the same host', async () => {
    const bank = await bankThat((response, { path }) =>
      path === '/' ? response.writeHead(302, { location: '/there' }).end('moved') : response.end(fridaySheet),
    );

    expect(await fetchRates(pool, { url: bank.url, now: after18 })).toMatchObject({ ok: true });
    expect(bank.seen.map(({ path }) => path)).toEqual(['/', '/there']);
  });
});

describe('no sheet, in clear words', () => {
  const cases: [string, Answerer, string][] = [
    ['a web page', (response) => response.end('<!DOCTYPE html><html><body>'), 'sent no rates: this is a web page, not the XML sheet'],
    ['nothing', (response) => response.end(), 'sent no rates: the answer is empty'],
    ['a value that can’t be right', (response) => response.end(euroSheet(FRIDAY, { USD: '0' })), 'USD of 2026-11-20: RATE "0" is not a number above zero'],
    ['a day to come', (response) => response.end(euroSheet('2026-11-21', { USD: '1' })), 'USD of 2026-11-21: that day is yet to come'],
    ['an error', (response) => response.writeHead(500).end('<ROWSET/>'), 'answers 500'],
    ['not there', (response) => response.writeHead(404).end(), 'answers 404'],
    [
      'a redirect elsewhere',
      (response) => response.writeHead(301, { location: 'https://other.example/x' }).end(),
      'redirects to other.example; if that is right',
    ],
    ['a redirect without an address', (response) => response.writeHead(302).end(), 'answers 302'],
    ['a redirect in circles', (response) => response.writeHead(307, { location: '/' }).end(), 'redirects more than 3 times'],
    ['a hang before the answer', () => undefined, 'gave no answer: it took more than 0.3 s'],
    ['a hang within the answer', (response) => response.write('<ROWSET>'), 'gave no answer: it took more than 0.3 s'],
    ['a huge answer', (response) => response.end(Buffer.alloc(300_000, ' ')), 'sends more than 100000 bytes'],
    [
      'a huge answer in a small one',
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(9_000_000))),
      'sends more than 100000 bytes',
    ],
  ];

  test.for(cases)('%s', async ([, answer, words]) => {
    const { url } = await bankThat(answer);

    // Only a hang is waited for until its end.
    const timeoutMs = words.includes('0.3 s') ? 300 : 10_000;
    const fetched = await fetchRates(pool, { url, now: after18, timeoutMs, maxBytes: 100_000 });

    expect(fetched).toEqual({ ok: false, busy: false, why: expect.stringContaining(words) });
    expect(!fetched.ok && fetched.why).toContain(new URL(url).host);
    expect(await listRates(pool, {})).toEqual([]);
  });

  test('the connection is refused', async () => {
    const fetched = await fetchRates(pool, { url: `http://127.0.0.1:${await freePort()}/`, now: after18 });

    expect(fetched).toMatchObject({ ok: false, why: expect.stringContaining('gave no answer: it refuses connections') });
  });

  test('the connection breaks', async () => {
    const server = await startTcpServer((socket) => socket.destroy());
    onTestFinished(() => server[Symbol.asyncDispose]());

    const fetched = await fetchRates(pool, { url: server.url, now: after18 });

    expect(fetched).toMatchObject({ ok: false, why: expect.stringContaining('gave no answer: the connection broke') });
  });

  test('a password in the address is neither sent nor shown', async () => {
    const { url, seen } = await bankThat((response) => response.writeHead(500).end());

    const fetched = await fetchRates(pool, { url: url.replace('//', '//me:hush@'), now: after18 });

    expect(JSON.stringify([fetched, seen])).not.toMatch(/hush|authorization/);
    expect(fetched).toMatchObject({ ok: false, why: expect.stringContaining('answers 500') });
  });

  test('a caller that aborts gets no result', async () => {
    const stop = new AbortController();
    const { url, seen } = await bankThat(() => undefined);
    const fetching = fetchRates(pool, { url, now: after18, signal: stop.signal });
    await until(() => seen.length === 1, { what: 'the request' });

    stop.abort(new Error('stopping'));

    await expect(fetching).rejects.toThrow('stopping');
    expect(await fetchRates(pool, { url: (await bankWith(fridaySheet)).url, now: after18 })).toMatchObject({ ok: true });
  });
});

test('while one process fetches, others do not', async () => {
  const released = Promise.withResolvers<void>();
  const bank = await bankThat((response) => void released.promise.then(() => response.end(fridaySheet)));
  const { pool: other, end } = openPool(postgres.url);
  onTestFinished(end);
  const first = fetchRates(pool, { url: bank.url, now: after18 });
  await until(() => bank.seen.length === 1, { what: 'the first request' });

  const [here, there] = await Promise.all([fetchRates(pool, { url: bank.url, now: after18 }), fetchRates(other, { url: bank.url, now: after18 })]);
  released.resolve();

  const busy = { ok: false, busy: true, why: 'the rates are being fetched by another process at this moment' };
  expect([here, there]).toEqual([busy, busy]);
  expect(await first).toMatchObject({ ok: true });
  expect(bank.seen).toHaveLength(1);
});

describe('the daily job is retried in an hour', () => {
  test.each([
    ['if the sheet of a working day is not there after 18:00', thursdaySheet, after18, true],
    ['not before 18:00', thursdaySheet, before18, false],
    ['not once it is there', fridaySheet, after18, false],
    ['not at the weekend', fridaySheet, () => new Date('2026-11-21T17:00:00Z'), false],
    ['if there was no sheet', '<html>', before18, true],
  ] satisfies [string, string, () => Date, boolean][])('%s', async (...[, sheet, now, again]) => {
    const { url } = await bankWith(sheet);

    expect(await refreshRates(pool, { url, now })).toMatchObject({ again, filledIn: { filled: 0, missing: 0 } });
  });
});
