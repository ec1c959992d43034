import { expect, test } from 'vitest';
import { SEED } from '../run-size.ts';
import { type FleetForm, fleetWords, readFleet } from './read-fleet.ts';

/** `limit`: how much later than its period a store may be read, as a share of it. */
export function fleetTest(form: Omit<FleetForm, 'seed'>, limit: number): void {
  const { count, periodSeconds, periods } = form;
  const timeout = 60_000 + count * 50 + (periods + 3) * periodSeconds * 1000;
  test(`one worker reads each of ${count} stores in its period, though some are slow, hang or fail, and names those (seed ${SEED})`, { timeout }, async () => {
    const read = await readFleet({ ...form, seed: SEED }, limit);

    const words = fleetWords(read);
    process.stdout.write(`${count} stores, a period of ${periodSeconds} s: ${words}\n`);
    expect(read.late, words).toEqual([]);
    const { failedChecks } = read.health;
    expect(failedChecks.filter(({ code }) => code === 'stores.late')).toEqual([]);
    const paused = failedChecks.filter(({ code }) => code === 'store.paused').flatMap((one) => one.members ?? [one]);
    expect(paused.map(({ words: of }) => of.replace(/:.*/, '')).toSorted()).toEqual(read.broken.toSorted());
  });
}
