import { afterAll, beforeAll } from 'vitest';
import { startPostgres, type TestPostgres } from '../servers/postgres.ts';
import { type AuditWorld, startAuditWorld, type WorldOptions } from './audit-world.ts';
import { type FirstRows, firstRowsOf } from './first-rows.ts';
import { type PortalWorld, startPortalWorld } from './portal-world.ts';

type Options = Omit<WorldOptions, 'migrated'>;
type PortalOptions = Omit<NonNullable<Parameters<typeof startPortalWorld>[1]>, 'migrated'>;

export type ServiceWorlds = {
  audit(clock: string, options?: Options): Promise<AuditWorld>;
  portal(options?: PortalOptions): Promise<PortalWorld>;
};

type Kept = { url: string; first: FirstRows; isLent: boolean };

/** Worlds of our service for one test file: each begins with the tables as they are made, in a database that serves one test after the other. */
export function useServiceWorlds(): ServiceWorlds {
  let postgres: TestPostgres;
  const kept: Kept[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(async () => {
    for (const { first } of kept.splice(0)) await first[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  const database = async (): Promise<Kept> => {
    const free = kept.find(({ isLent }) => !isLent);
    if (free !== undefined) {
      free.isLent = true;
      if (await free.first.bringBack({ numbers: true })) return free;
      await free.first[Symbol.asyncDispose]();
      kept.splice(kept.indexOf(free), 1);
    }
    const url = await postgres.createDatabase('service');
    const made = { url, first: await firstRowsOf(url), isLent: true };
    kept.push(made);
    return made;
  };
  const lent = async <W extends AsyncDisposable>(start: (url: string) => Promise<W>): Promise<W> => {
    const one = await database();
    const world = await start(one.url);
    return {
      ...world,
      async [Symbol.asyncDispose]() {
        await world[Symbol.asyncDispose]();
        one.isLent = false;
      },
    };
  };
  return {
    audit: (clock, options = {}) => lent((url) => startAuditWorld(url, clock, { ...options, migrated: true })),
    portal: (options = {}) => lent((url) => startPortalWorld(url, { ...options, migrated: true })),
  };
}
