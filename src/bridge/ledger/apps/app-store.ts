import { z } from 'zod';
import { type Authorship, authorOf } from '../../../platform/audit-log/audit-log.ts';
import { inTransaction, type Pool, type Queryable } from '../../../platform/postgres/postgres.ts';
import { readOne, readRow, readRows, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { SealBroken, type Sealer } from '../../../platform/seal.ts';
import type { StoreApp } from '../../storefronts/store-app.ts';
import { type BridgeAct, writeBridgeActs } from '../bridge-acts.ts';
import { CONNECTIONS_CHANNEL, type SecretsAfter, secretsOf } from '../connection-row.ts';
import { openJson } from '../json-columns.ts';

/** An app that is there. `unopened`: why its secrets are missing here, for people; null: they open. `connections`: how many live ones came by it. ISO instant. */
export type StoredApp = StoreApp & { unopened: string | null; connections: number; createdAt: string };

/** clientId: the app `of` has this client id. id: there is one of this id. removed: this id was that of another app, which earlier connections name. */
export type NotAdded = { taken: 'clientId'; of: string } | { taken: 'id' | 'removed' };

/** Live connections that came by the app. */
export type AppUsers = { id: string; name: string }[];

/** Apps in PostgreSQL; secrets are sealed before they get there. A change is written to the audit log, and heard by every process. */
export type AppStore = {
  /** Null: there is none of this id, or it was removed. */
  find(id: string): Promise<StoredApp | null>;
  /** Those that are there, by their ids. */
  list(): Promise<StoredApp[]>;
  /** An id that was removed is taken again by the same app alone. */
  add(app: StoreApp, said: Authorship): Promise<StoredApp | NotAdded>;
  /** Removed, and its secrets forgotten; or what still uses it. Null: there is none. */
  remove(id: string, said: Authorship): Promise<{ removed: true } | { usedBy: AppUsers } | null>;
  /** Null: there is none. */
  changeSecrets(id: string, secrets: SecretsAfter, said: Authorship): Promise<StoredApp | null>;
};

/** On `CONNECTIONS_CHANNEL`, this and the id of an app that changed; ids of connections have no colon. */
export const APP_CHANGED = 'app:';

export function createAppStore(pool: Pool, sealer: Sealer): AppStore {
  const rows = appRows(sealer, 'throws');
  // One app whose secrets don't open must not hide the others.
  const allRows = appRows(sealer, 'noted');
  return {
    find: (id) => readRow(pool, rows, { text: `${SELECT} where id = $1 and removed_at is null`, values: [id] }),
    list: () => readRows(pool, allRows, { text: `${SELECT} where removed_at is null order by id` }),
    add: (app, said) => inTransaction(pool, (tx) => add({ tx, sealer, said }, app)),
    remove: (id, said) => inTransaction(pool, (tx) => remove({ tx, sealer, said }, id)),
    changeSecrets: (id, secrets, said) =>
      inTransaction(pool, async (tx) => {
        const before = await readRow(tx, allRows, { text: `${SELECT} where id = $1 and removed_at is null for update`, values: [id] });
        if (before === null) return null;
        const after = secretsOf(secrets, { secrets: [...before.secrets] }) ?? [];
        await tx.query('update store_apps set secrets = $2 where id = $1', [id, sealAppSecrets(sealer, { id, secrets: after })]);
        await tell(tx, { act: 'app.secret-rotated', said, id, after: { secret: 'changed' } });
        return { ...before, secrets: after, unopened: null };
      }),
  };
}

const COLUMNS = `id, platform, client_id as "clientId", secrets, kind, scopes, created_at as "createdAt",
  (select count(*)::int from connections c where c.app = store_apps.id and c.closed_at is null) as connections`;
const SELECT = `select ${COLUMNS} from store_apps`;

const appRow = z.object({
  id: z.string(),
  platform: z.string(),
  clientId: z.string(),
  secrets: z.string(),
  kind: z.enum(['custom', 'public', 'own']),
  scopes: z.array(z.string()),
  createdAt: z.string(),
  connections: z.int(),
});

function appRows(sealer: Sealer, wrongKey: 'throws' | 'noted') {
  return rowsOf(
    'store_apps',
    appRow.transform((row, context) => ({ ...row, ...openAppSecrets({ sealer, wrongKey }, row, context) })),
  );
}

type Change = { tx: Queryable; sealer: Sealer; said: Authorship };

const earlierRow = rowsOf('store_apps', z.object({ id: z.string(), platform: z.string(), clientId: z.string(), isRemoved: z.boolean() }));

const ADD = `insert into store_apps (id, platform, client_id, secrets, kind, scopes) values ($1, $2, $3, $4, $5, $6)
  on conflict (id) do update set secrets = excluded.secrets, kind = excluded.kind, scopes = excluded.scopes, created_at = now(), removed_at = null`;

async function add({ tx, sealer, said }: Change, app: StoreApp): Promise<StoredApp | NotAdded> {
  const { id, platform, clientId, kind, scopes } = app;
  await tx.query('select pg_advisory_xact_lock(hashtext($1))', ['orderbridge apps']);
  const earlier = await readRows(tx, earlierRow, {
    text: `select id, platform, client_id as "clientId", removed_at is not null as "isRemoved" from store_apps
      where id = $1 or (platform = $2 and client_id = $3 and removed_at is null) order by id = $1 desc`,
    values: [id, platform, clientId],
  });
  const same = earlier.find((one) => one.id === id);
  if (same !== undefined && !same.isRemoved) return { taken: 'id' };
  const [other] = earlier.filter((one) => one.id !== id);
  if (other !== undefined) return { taken: 'clientId', of: other.id };
  if (same !== undefined && (same.platform !== platform || same.clientId !== clientId)) return { taken: 'removed' };
  await tx.query(ADD, [id, platform, clientId, sealAppSecrets(sealer, app), kind, scopes]);
  await tell(tx, { act: 'app.added', said, id, after: { platform, clientId, kind, scopes, secret: 'given' } });
  return readOne(tx, appRows(sealer, 'throws'), { text: `${SELECT} where id = $1`, values: [id] });
}

const userRow = rowsOf('connections', z.object({ id: z.string(), name: z.string() }));
const idRow = rowsOf('store_apps', z.object({ id: z.string() }));

async function remove({ tx, sealer, said }: Change, id: string): Promise<{ removed: true } | { usedBy: AppUsers } | null> {
  // A connection that is made by it meanwhile waits for this, or is seen below.
  const found = await readRow(tx, idRow, { text: 'select id from store_apps where id = $1 and removed_at is null for update', values: [id] });
  if (found === null) return null;
  const usedBy = await readRows(tx, userRow, {
    text: 'select id, name from connections where app = $1 and closed_at is null order by created_at',
    values: [id],
  });
  if (usedBy.length > 0) return { usedBy };
  await tx.query('update store_apps set removed_at = now(), secrets = $2 where id = $1', [id, sealAppSecrets(sealer, { id, secrets: [] })]);
  await tell(tx, { act: 'app.removed', said, id });
  return { removed: true };
}

async function tell(tx: Queryable, { act, said, id, after }: { act: BridgeAct; said: Authorship; id: string; after?: Record<string, unknown> }): Promise<void> {
  await writeBridgeActs(tx, [{ ...authorOf(said), act, subject: id, ...(after === undefined ? {} : { after }) }]);
  await tx.query('select pg_notify($1, $2)', [CONNECTIONS_CHANNEL, `${APP_CHANGED}${id}`]);
}

const liveSecrets = z.array(z.object({ secret: z.string(), until: z.string().nullable() }));

function placeOf(id: string) {
  return { table: 'bridge.store_apps', column: 'secrets', id };
}

/** Seals the secrets of an app, for its row. */
function sealAppSecrets(sealer: Sealer, { id, secrets }: Pick<StoreApp, 'id' | 'secrets'>): string {
  return sealer.seal(JSON.stringify(secrets.map(({ secret, until }) => ({ secret, until }))), placeOf(id));
}

type SealedRow = { id: string; platform: string; secrets: string };
type Opening = { sealer: Sealer; wrongKey: 'throws' | 'noted' };

/** `unopened`: why they are missing, for people; null: they open. */
type OpenedSecrets = { secrets: StoreApp['secrets']; unopened: string | null };

/** Opens them; secrets that were sealed for another row are missing. With wrong ENCRYPTION_KEYS it throws, unless that is only `noted`, too. */
function openAppSecrets({ sealer, wrongKey }: Opening, { id, platform, secrets: sealed }: SealedRow, context: z.RefinementCtx): OpenedSecrets {
  try {
    return { secrets: openJson({ sealer, sealed, place: placeOf(id) }, liveSecrets, context), unopened: null };
  } catch (thrown) {
    if (!(thrown instanceof SealBroken) || (thrown.mayOpen && wrongKey === 'throws')) throw thrown;
    const cure = thrown.mayOpen ? '' : ` (orderbridge ${platform}-app rotate-secret ${id} --secret prompt)`;
    return { secrets: [], unopened: `the secret of the app, so that none of its webhooks is taken: ${thrown.message}${cure}` };
  }
}
