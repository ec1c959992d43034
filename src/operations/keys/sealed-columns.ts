import type { SealedColumn } from '../../bridge/ledger/keys/sealed-rows.ts';
import { SEALED_FACTORS } from '../../bridge/ledger/people/factor-store.ts';
import type { SealedPlace } from '../../platform/seal.ts';
import { SEALED_API_KEYS } from '../../service/keys/api-keys.ts';

/** What data keys are for. links: what a browser keeps for us; lookup: digests. */
export const PURPOSES = ['secrets', 'api-keys', 'buyers', 'bodies', 'people', 'links', 'lookup'] as const;
type Purpose = (typeof PURPOSES)[number];

/** Every column that sealed texts stay in. What is sealed elsewhere is refused, so that no key is replaced while a text needs it that nobody looks for. */
export const SEALED_COLUMNS: readonly (SealedColumn & { purpose: Purpose })[] = [
  { table: 'bridge.destinations', column: 'credentials', purpose: 'secrets', key: 'id', type: 'uuid' },
  { table: 'bridge.store_apps', column: 'secrets', purpose: 'secrets', key: 'id', type: 'text' },
  { table: 'bridge.connections', column: 'secrets', purpose: 'secrets', key: 'id', type: 'text' },
  { table: 'bridge.connections', column: 'store_access', purpose: 'secrets', key: 'id', type: 'text' },
  { table: 'bridge.store_tokens', column: 'token', purpose: 'secrets', key: 'connection_id', type: 'text' },
  { table: 'bridge.onboardings', column: 'sealed', purpose: 'secrets', key: 'id', type: 'uuid' },
  { table: 'bridge.hand_overs', column: 'sealed', purpose: 'secrets', key: 'state', type: 'bytea', placeId: `encode(t.state, 'hex')` },
  { ...SEALED_FACTORS, purpose: 'people', key: 'id', type: 'uuid' },
  { ...SEALED_API_KEYS, purpose: 'api-keys', key: 'id', type: 'uuid' },
  {
    table: 'bridge.orders',
    column: 'open_step',
    purpose: 'buyers',
    key: 'id',
    type: 'bigint',
    value: `t.open_step ->> 'sentWith'`,
    set: `jsonb_set(t.open_step, '{sentWith}', to_jsonb(x.new))`,
  },
  { table: 'compliance.withdrawn_receipts', column: 'sealed_email', purpose: 'buyers', key: 'order_id', type: 'uuid' },
];

/** Kept by browsers: a cookie, a field of a form. */
const KEPT_BY_BROWSERS = ['cookie', 'form'];
const purposes = new Map(SEALED_COLUMNS.map(({ table, column, purpose }) => [`${table}.${column}`, purpose]));

/** The purpose of the key that a place is sealed with. */
export function purposeOf({ table, column }: Omit<SealedPlace, 'id'>): Purpose {
  const purpose = KEPT_BY_BROWSERS.includes(table) ? 'links' : purposes.get(`${table}.${column}`);
  if (purpose === undefined) throw new Error(`${table}.${column} is not among the sealed columns`);
  return purpose;
}
