import type { SealedColumn } from '../../bridge/ledger/keys/sealed-rows.ts';
import { SEALED_FACTORS } from '../../bridge/ledger/people/factor-store.ts';
import type { SealedPlace } from '../../platform/seal.ts';
import { SEALED_API_KEYS } from '../../service/keys/api-keys.ts';

/** By which mailboxes are known whose addresses are not kept. Its key stays, also after a leak: no other mark can be made of them, and who refused mails must get none. */
export const MARKS = 'marks';
/** What data keys are for. links: what a browser keeps for us; lookup: digests. */
export const PURPOSES = ['secrets', 'api-keys', 'buyers', 'bodies', 'people', 'links', 'lookup', MARKS] as const;
type Purpose = (typeof PURPOSES)[number];

/** Secrets that others know, too: `secretsToRenew` lists those of each kind after a leak. */
export type RenewableSecret = 'apps' | 'connections' | 'destinations' | 'endpoints' | 'invitations' | 'API keys' | 'second steps';

type Holding =
  | { purpose: Exclude<Purpose, 'buyers' | 'bodies' | 'people'>; holds: RenewableSecret }
  | { purpose: 'people'; holds: RenewableSecret | 'personal data' }
  | { purpose: 'buyers' | 'bodies' };

/**
 * Every column that sealed texts stay in. What is sealed elsewhere is refused, so that no key is replaced while a text needs it that nobody looks for.
 * `holds`: what must be renewed after a leak; of personal data, such as buyers and bodies, nothing can be.
 */
export const SEALED_COLUMNS: readonly (SealedColumn & Holding)[] = [
  { table: 'bridge.destinations', column: 'credentials', purpose: 'secrets', holds: 'destinations', key: 'id', type: 'uuid' },
  { table: 'bridge.store_apps', column: 'secrets', purpose: 'secrets', holds: 'apps', key: 'id', type: 'text' },
  { table: 'bridge.connections', column: 'secrets', purpose: 'secrets', holds: 'connections', key: 'id', type: 'text' },
  { table: 'bridge.connections', column: 'store_access', purpose: 'secrets', holds: 'connections', key: 'id', type: 'text' },
  { table: 'bridge.event_endpoints', column: 'secrets', purpose: 'secrets', holds: 'endpoints', key: 'id', type: 'uuid' },
  { table: 'bridge.store_tokens', column: 'token', purpose: 'secrets', holds: 'connections', key: 'connection_id', type: 'text' },
  { table: 'bridge.onboardings', column: 'sealed', purpose: 'secrets', holds: 'invitations', key: 'id', type: 'uuid' },
  ...(['email', 'mail_to', 'progress'] as const).map(
    (column) => ({ table: 'bridge.onboardings', column, purpose: 'people', holds: 'personal data', key: 'id', type: 'uuid' }) as const,
  ),
  { table: 'bridge.mail_codes', column: 'address', purpose: 'people', holds: 'personal data', key: 'id', type: 'uuid' },
  {
    table: 'bridge.mails',
    column: 'ref',
    purpose: 'people',
    holds: 'personal data',
    key: 'id',
    type: 'uuid',
    value: `t.ref ->> 'mailbox'`,
    set: `jsonb_set(t.ref, '{mailbox}', to_jsonb(x.new))`,
  },
  { table: 'bridge.hand_overs', column: 'sealed', purpose: 'secrets', holds: 'invitations', key: 'state', type: 'bytea', placeId: `encode(t.state, 'hex')` },
  { table: 'bridge.people', column: 'email', purpose: 'people', holds: 'personal data', key: 'id', type: 'uuid' },
  { ...SEALED_FACTORS, purpose: 'people', holds: 'second steps', key: 'id', type: 'uuid' },
  { ...SEALED_API_KEYS, purpose: 'api-keys', holds: 'API keys', key: 'id', type: 'uuid' },
  {
    table: 'bridge.orders',
    column: 'open_step',
    purpose: 'buyers',
    key: 'id',
    type: 'bigint',
    value: `t.open_step ->> 'sentWith'`,
    set: `jsonb_set(t.open_step, '{sentWith}', to_jsonb(x.new))`,
  },
  { table: 'bridge.customers', column: 'data', purpose: 'buyers', key: 'order_ref', type: 'bigint', bytes: true },
  { table: 'bridge.privacy_export_orders', column: 'buyer', purpose: 'buyers', key: 'id', type: 'bigint', placeId: `t.export_id || '/' || t.order_ref` },
  { table: 'bridge.events', column: 'answer', purpose: 'buyers', key: 'id', type: 'uuid' },
  { table: 'bridge.deliveries', column: 'body', purpose: 'bodies', key: 'id', type: 'uuid', bytes: true, page: 20 },
  { table: 'bridge.bodies', placeTable: 'bridge.deliveries', column: 'body', purpose: 'bodies', key: 'delivery_id', type: 'uuid', bytes: true, page: 20 },
  { table: 'compliance.orders', column: 'customer', purpose: 'buyers', key: 'id', type: 'uuid', bytes: true },
  { table: 'compliance.withdrawn_receipts', column: 'sealed_email', purpose: 'buyers', key: 'order_id', type: 'uuid' },
];

/** Of what leaves by itself: what browsers keep, in a cookie or a field of a form; buyers in queue and inbox. */
const PASSING: Readonly<Record<string, Purpose>> = { cookie: 'links', form: 'links', 'bridge.inbox': 'buyers' };
const purposes = new Map(SEALED_COLUMNS.map(({ table, column, purpose }) => [`${table}.${column}`, purpose]));

/** The purpose of the key that a place is sealed with. */
export function purposeOf({ table, column }: Omit<SealedPlace, 'id'>): Purpose {
  const purpose = PASSING[table] ?? purposes.get(`${table}.${column}`);
  if (purpose === undefined) throw new Error(`${table}.${column} is not among the sealed columns`);
  return purpose;
}
