import { z } from 'zod';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { sealedParts, withParts } from '../invitations/sealed-parts.ts';

const stored = z.object({ app: z.string(), url: z.string(), onboarding: z.string().nullable(), isLive: z.boolean() });

/**
 * A merchant who was sent to their store, to approve an app there. `url`: of the store that was asked. `onboarding` null: they had no link. `isLive`: its time
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

/** used: by this call. busy: an approval of the same app at the same store is worked on. gone: its time has passed, or somebody came back with it before. */
type Use = 'used' | 'busy' | 'gone';

/** Anyone who works on an approval and dies keeps others waiting no longer. */
const LONGEST = `interval '30 s'`;
const IN_WORK = `exists (select from grant_requests o where o.url = r.url and o.app = r.app and o.used_at > now() - ${LONGEST} and o.expires_at > now())`;
const requestRow = rowsOf('grant_requests', z.object({ isBusy: z.boolean() }));

/** From then on it is used, and others of its app and store wait until `endGrantRequest`: each approval ends the tokens of the one before. `beside`: it waits for none. */
export function useGrantRequest(pool: Pool, state: Buffer, { beside }: { beside: boolean }): Promise<Use> {
  return inTransaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtext(url)) from grant_requests where state = $1', [state]);
    const before = await readRow(tx, requestRow, { text: `select ${IN_WORK} as "isBusy" from grant_requests r where r.state = $1`, values: [state] });
    if (before?.isBusy === true && !beside) return 'busy';
    const { rowCount } = await tx.query('update grant_requests set used_at = now() where state = $1 and used_at is null and expires_at > now()', [state]);
    return rowCount === 1 ? 'used' : 'gone';
  });
}

/** What it brought is kept, or is worth nothing. */
export async function endGrantRequest(db: Queryable, state: Buffer): Promise<void> {
  await db.query('update grant_requests set expires_at = least(expires_at, now()) where state = $1', [state]);
}

const idRows = rowsOf('onboardings', z.object({ id: z.string() }));

/** The newest way by which a connection was made, or its merchant had it; null: they have none. */
export async function wayOfConnection(db: Queryable, connectionId: string): Promise<string | null> {
  const text = 'select id from onboardings where connection_id = $1 and revoked_at is null order by created_at desc limit 1';
  return (await readRow(db, idRows, { text, values: [connectionId] }))?.id ?? null;
}

const ways = rowsOf('onboardings', z.object(sealedParts));
const approved = z.object({ store: z.object({ url: z.string(), app: z.string() }) });

/** The ways that are open still, on which the merchant of this store approved this app, the newest first; that an address was typed proves nothing. */
export async function unfinishedWays(db: Queryable, { url, app }: { url: string; app: string }): Promise<string[]> {
  const text = `select id, null as email, null as "mailTo", progress from onboardings where progress is not null and 'store' = any(done)
    and connection_id is null and revoked_at is null and expires_at > now() order by created_at desc`;
  const open = await readRows(db, withParts(db, ways), { text });
  return open.flatMap(({ id, progress }) => {
    const { store } = approved.safeParse(progress).data ?? {};
    return store?.url === url && store.app === app ? [id] : [];
  });
}
