import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connectionSettings } from '../../src/bridge/connections/connection-settings.ts';
import { wrongEnd } from '../support/histories/check-histories.ts';
import { type OrdinaryShop, ordinaryShops, thousandOrders } from '../support/histories/ordinary-shops.ts';
import { playHistory } from '../support/histories/play-history.ts';
import { runs, SEED } from '../support/run-size.ts';

/** The short run takes every tenth of the thousand. */
const EVERY = runs(10, 1);
const quickStart = readFileSync(new URL('../../docs/quick-start.md', import.meta.url), 'utf8');

/** The settings that the quick start tells a merchant to start from. */
function settingsToStartFrom() {
  const json = /```json\n(?<settings>\{[^`]*"vatGroups"[^`]*\})\n```/.exec(quickStart)?.groups?.['settings'];
  if (json === undefined) throw new Error('the quick start shows no settings');
  return connectionSettings.parse(JSON.parse(json));
}

async function endsOf(shop: OrdinaryShop) {
  const first = settingsToStartFrom();
  const settings = { ...first, ...shop.settings, vatGroups: { ...first.vatGroups, ...shop.settings?.vatGroups } };
  const ends = [];
  for (const history of thousandOrders(shop, SEED).filter((_, at) => at % EVERY === 0)) {
    const arrivals = [...history.told.keys()];
    ends.push({ history, ended: await playHistory(history, { arrivals, attempts: new Set(arrivals), settings }) });
  }
  return ends;
}

describe.each(ordinaryShops.map((shop) => [shop.name, shop] as const))('of a thousand ordinary orders of %s', (_name, shop) => {
  test('none is wrong, and at most ten go to a person', async () => {
    const ends = await endsOf(shop);

    expect(ends).toHaveLength(1000 / EVERY);
    expect(ends.flatMap(({ history, ended }) => wrongEnd(history, ended) ?? [])).toEqual([]);
    expect(ends.flatMap(({ ended }) => ended.asked ?? []).length).toBeLessThanOrEqual(10);
  });
});
