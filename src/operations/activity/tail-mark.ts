import { ageOf, type Mark } from '../../bridge/ledger/recent-events.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';

/** It stands in an address and in a header, which servers and proxies bound; of a ledger with a few writers it has some fifty characters. */
const MOST_CHARACTERS = 2_000;
const WRITTEN = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)\/(\d{1,18}:\d{1,18}:(?:\d{1,18}(?:,\d{1,18})*)?)$/;

/** A mark as a browser keeps it: `INSTANT/SNAPSHOT`. With so many writers that it would be too long, some lines may come twice, and none is left out. */
export function markText({ at, snapshot }: Mark): string {
  const text = `${at}/${snapshot}`;
  if (text.length <= MOST_CHARACTERS) return text;
  const [oldest = ''] = snapshot.split(':');
  return `${at}/${oldest}:${oldest}:`;
}

/** What a browser sent; null: no mark of ours, which PostgreSQL must not see. */
export function markOf(text: string): Mark | null {
  if (text.length > MOST_CHARACTERS) return null;
  const [, at, snapshot] = WRITTEN.exec(text) ?? [];
  if (at === undefined || snapshot === undefined) return null;
  return isInstant(at) && isSnapshot(snapshot) ? { at, snapshot } : null;
}

/** Whether what happened since is looked at still: by the clock of the database, whose the mark is. */
export async function isYoungerThan({ pool }: { pool: Pool }, mark: Mark, mostMs: number): Promise<boolean> {
  const ageMs = await ageOf(pool, mark);
  return ageMs >= 0 && ageMs <= mostMs;
}

/** The pattern takes a 31st of February, too. */
function isInstant(text: string): boolean {
  const at = new Date(text);
  return !Number.isNaN(at.getTime()) && at.toISOString() === text;
}

/** As `pg_snapshot` demands it: from above zero upwards, and what runs between both ends, rising. */
function isSnapshot(text: string): boolean {
  const [from = 0n, to = 0n, ...running] = text.split(/[:,]/).flatMap((id) => (id === '' ? [] : [BigInt(id)]));
  return from > 0n && from <= to && running.every((id, index) => id >= (running[index - 1] ?? from) && id < to);
}
