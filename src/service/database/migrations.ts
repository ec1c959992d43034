import type { Migration } from '../../platform/postgres/migrate.ts';
import { documentNumbers } from './003-document-numbers.ts';
import { orderFunctions } from './003-order-functions.ts';
import { exchangeRates } from './004-rates.ts';
import { receipts } from './005-receipts.ts';
import { auditFiles } from './006-audit-files.ts';
import { listing } from './007-listing.ts';

const tables = `
create table compliance.api_keys (
  id uuid primary key,
  key_hash bytea not null unique,
  hint text not null,
  label text,
  sealed_secret text not null,
  multi_shop boolean not null,
  dialect jsonb not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- sole_of: the key that may have no other shop. Its uniqueness decides between two creates at once.
create table compliance.shops (
  id uuid primary key,
  api_key_id uuid not null references compliance.api_keys,
  sole_of uuid unique references compliance.api_keys,
  details jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index shops_of_key on compliance.shops (api_key_id);

create table compliance.orders (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  internal_id text not null,
  internal_number text not null,
  internal_created_at text not null,
  line_items jsonb not null,
  payment_type text not null,
  payment_processor_name text,
  transaction_id text,
  precision smallint not null,
  currency text not null,
  customer jsonb,
  total numeric not null,
  net_total numeric not null,
  total_vat numeric not null,
  total_discount numeric not null,
  created_at timestamptz not null,
  unique (shop_id, internal_id)
);

-- All that is left of a deleted order: no number, no money, no person.
create table compliance.deleted_orders (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  created_at timestamptz not null,
  deleted_at timestamptz not null
);
create index deleted_orders_of_shop on compliance.deleted_orders (shop_id);

-- No content, only its hash: an answer is made again from the repeated request, so a deleted order leaves no copy here.
-- No reference to api_keys either: keys are revoked, never deleted, and every insert would lock one and the same row.
create table compliance.idempotency_keys (
  api_key_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  order_id uuid not null,
  created_at timestamptz not null,
  primary key (api_key_id, key)
);
create index idempotency_keys_by_age on compliance.idempotency_keys (created_at);
`;

/**
 * Checks the shop, honours the idempotency key and inserts, in one round trip and one transaction. A twin that is under way is waited for by the
 * unique indexes; "loop" is for rows that vanish between an insert that met them and the look at them.
 */
const createOrder = `
create function compliance.create_order(p_api_key uuid, p_key text, p_fingerprint bytea, p_keep_from timestamptz, p_order jsonb)
returns table (outcome text, order_id uuid, order_created_at timestamptz) language plpgsql as $$
declare
  sent compliance.orders := jsonb_populate_record(null::compliance.orders, p_order);
  stale record;
begin
  perform from compliance.shops s where s.id = sent.shop_id and s.api_key_id = p_api_key for key share;
  if not found then
    return query select 'shop-unknown', null::uuid, null::timestamptz;
    return;
  end if;

  if p_key is not null then
    for stale in
      select k.api_key_id, k.key from compliance.idempotency_keys k where k.created_at < p_keep_from order by k.created_at limit 2 for update skip locked
    loop
      delete from compliance.idempotency_keys k where k.api_key_id = stale.api_key_id and k.key = stale.key;
    end loop;
    loop
      insert into compliance.idempotency_keys values (p_api_key, p_key, p_fingerprint, sent.id, sent.created_at) on conflict do nothing;
      exit when found;
      return query select case when k.fingerprint = p_fingerprint then 'replayed' else 'key-reused' end, k.order_id, k.created_at
        from compliance.idempotency_keys k where k.api_key_id = p_api_key and k.key = p_key;
      if found then return; end if;
    end loop;
  end if;

  loop
    insert into compliance.orders select sent.* on conflict (shop_id, internal_id) do nothing;
    if found then
      return query select 'created', sent.id, sent.created_at;
      return;
    end if;
    return query select 'standing', o.id, o.created_at from compliance.orders o where o.shop_id = sent.shop_id and o.internal_id = sent.internal_id;
    if found then
      delete from compliance.idempotency_keys k where k.api_key_id = p_api_key and k.key = p_key;
      return;
    end if;
  end loop;
end $$;
`;

export const migrations: readonly Migration[] = [
  { version: 1, name: 'keys, shops, orders', sql: tables },
  { version: 2, name: 'create_order', sql: createOrder },
  { version: 3, name: 'document numbers, months, returns', sql: `${documentNumbers}\n${orderFunctions}` },
  { version: 4, name: 'exchange rates', sql: exchangeRates },
  { version: 5, name: 'receipts and mails', sql: receipts },
  { version: 6, name: 'audit files', sql: auditFiles },
  { version: 7, name: 'orders by age', sql: listing },
];
