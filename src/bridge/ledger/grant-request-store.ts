import { z } from 'zod';
import type { Queryable } from '../../platform/postgres/postgres.ts';
import { readRow, rowsOf } from '../../platform/postgres/read-rows.ts';

const stored = z.object({ app: z.string(), url: z.string(), onboarding: z.string().nullable(), isLive: z.boolean() });

/**
 * A merchant who was sent to his store, to approve an app there. `url`: of the store that was asked. `onboarding` null: he had no link. `isLive`: its time
 * has not passed, and nobody came back with it.
 */
export type GrantRequest = z.output<typeof stored>;

const rows = rowsOf('grant_requests', stored);

/** `state`: SHA-256 of what the browser brings back. */
export async function insertGrantRequest(db: Queryable, given: Omit<GrantRequest, 'isLive'> & { state: Buffer; minutes: number }): Promise<void> {
  const { state, app, url, onboarding, minutes } = given;
  await db.query(`insert into grant_requests (state, app, url, onboarding, expires_at) values ($1, $2, $3, $4, now() + $5 * interval '1 minute')`, [
    ...[state, app, url, onboarding, minutes],
  ]);
}

export function findGrantRequest(db: Queryable, state: Buffer): Promise<GrantRequest | null> {
  return readRow(db, rows, {
    text: `select r.app, r.url, r.onboarding, r.used_at is null and r.expires_at > now() as "isLive" from grant_requests r where r.state = $1`,
    values: [state],
  });
}

/** False: its time has passed, or somebody came back with it before. */
export async function useGrantRequest(db: Queryable, state: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('update grant_requests set used_at = now() where state = $1 and used_at is null and expires_at > now()', [state]);
  return rowCount === 1;
}
