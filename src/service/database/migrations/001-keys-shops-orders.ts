/** API keys, their shops, and the orders of those. */
export const keysShopsOrders = `
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
