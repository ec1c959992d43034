import { describe, expect, onTestFinished, test } from 'vitest';
import { fetchRates, refreshRates } from '../../../src/service/rates/fetch-rates.ts';
import { missedSheetDays } from '../../../src/service/rates/missing-rates.ts';
import { createRateLookup } from '../../../src/service/rates/stored-rates.ts';
import { euroSheet, publish } from '../../support/samples/rates.ts';
import { type Answerer, startHttpServer } from '../../support/servers/raw-server.ts';
import type { AuditWorld } from '../../support/worlds/audit-world.ts';
import { october } from '../../support/worlds/october.ts';
import { useServiceWorlds } from '../../support/worlds/service-worlds.ts';

const worlds = useServiceWorlds();

const world = async (): Promise<AuditWorld> => worlds.audit('2026-10-23T17:00:00Z');

/** A bank that has sheets of some days; anything else is a web page, as the bank answers. */
async function bankWith(sheets: Record<string, string>) {
  const answer: Answerer = (response, { path }) => response.end(sheets[path] ?? '<html>');
  const server = await startHttpServer(answer);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, url: `${server.url}/newest`, dayUrl: `${server.url}/of/{DD}.{MM}.{YYYY}?{date}` };
}

const usd = (n: number, day: string) => october(n, { currency: 'USD', internalCreatedAt: `${day}T12:00:00+03:00` });

describe('D15: a sheet that stays the newest for weeks', () => {
  test('gives no rate to an order of a week later, although every fetch found it', async () => {
    await using w = await world();
    const { url } = await bankWith({ '/newest': euroSheet('2026-10-12', { USD: '1.17' }) });
    await fetchRates(w.server.pool, { url, now: w.now });
    const lookUp = createRateLookup({ pool: w.server.pool });

    expect(await lookUp('USD', '2026-10-19')).toMatchObject({ publishedOn: '2026-10-12' });
    expect(await lookUp('USD', '2026-10-20')).toBeNull();
  });
});

describe('D15: missed days that orders wait for', () => {
  test('are fetched one by one; an order of a weekend takes the Friday before', async () => {
    await using w = await world();
    const { server, url, dayUrl } = await bankWith({
      '/newest': euroSheet('2026-10-23', { USD: '1.23' }),
      '/of/14.10.2026?2026-10-14': euroSheet('2026-10-14', { USD: '1.14' }),
      '/of/16.10.2026?2026-10-16': euroSheet('2026-10-16', { USD: '1.16' }),
    });
    await w.create(usd(1, '2026-10-14'));
    await w.create(usd(2, '2026-10-18'));
    await w.create(usd(3, '2026-10-23'));

    const refreshed = await refreshRates(w.server.pool, { url, dayUrl, now: w.now });

    expect(refreshed).toMatchObject({
      days: { fetched: ['2026-10-14', '2026-10-16'], missed: [], why: null },
      filledIn: { filled: 3, missing: 0 },
      again: false,
    });
    expect(server.seen.map(({ path }) => path)).toEqual(['/newest', '/of/14.10.2026?2026-10-14', '/of/16.10.2026?2026-10-16']);
    const { rows } = await w.server.pool.query(`select exchange ->> 'publishedOn' as day from compliance.orders order by internal_id`);
    expect(rows).toEqual([{ day: '2026-10-14' }, { day: '2026-10-16' }, { day: '2026-10-23' }]);
  });

  test('whose sheet the address does not have stay missed, with the reason', async () => {
    await using w = await world();
    const { url, dayUrl } = await bankWith({
      '/newest': euroSheet('2026-10-23', { USD: '1.23' }),
      '/of/15.10.2026?2026-10-15': euroSheet('2026-10-23', { USD: '1.23' }),
    });
    await w.create(usd(1, '2026-10-14'));
    await w.create(usd(2, '2026-10-15'));

    const { days, filledIn } = await refreshRates(w.server.pool, { url, dayUrl, now: w.now });

    expect(days).toEqual({ fetched: [], missed: ['2026-10-14', '2026-10-15'], why: 'it has no sheet of 2026-10-15: it sent that of 2026-10-23' });
    expect(filledIn).toEqual({ filled: 0, missing: 2 });
  });

  test('are none if the sheet of the day lacks the currency, or is yet to come', async () => {
    await using w = await world();
    w.setClock('2026-10-23T10:00:00Z');
    await publish(w.server.pool, { '2026-10-14': { GBP: '0.87' } });
    await w.create(usd(1, '2026-10-14'));
    await w.create(usd(2, '2026-10-23'));

    expect(await missedSheetDays(w.server.pool, w.now())).toEqual([]);
    await w.create(usd(3, '2026-10-15'));
    expect(await missedSheetDays(w.server.pool, w.now())).toEqual(['2026-10-15']);
  });
});
