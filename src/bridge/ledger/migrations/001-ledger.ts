import type { Migration } from '../../../platform/postgres/migrate.ts';

export const ledgerTables: Migration = {
  version: 1,
  name: 'ledger',
  sql: `
create table destinations (
  id uuid primary key default gen_random_uuid(),
  base_url text,                        -- null: the embedded service, wherever it listens
  key_digest text not null,             -- SHA-256 of the API key: one destination per address and key
  credentials text not null,            -- sealed {apiKey, apiSecret}
  created_at timestamptz not null default now(),
  unique nulls not distinct (base_url, key_digest)
);

-- A destination (shop_id null) or one shop of it that must be left alone until a time.
create table pauses (
  destination_id uuid not null references destinations,
  shop_id uuid,
  code text not null,
  detail text not null,
  failures int not null default 1,
  since timestamptz not null default now(),
  until timestamptz not null,
  unique nulls not distinct (destination_id, shop_id)
);

create table connections (
  id text primary key,
  platform text not null,
  name text not null,
  store text,                           -- as the platform names it; pinned by the first delivery
  shop_id uuid not null,
  destination_id uuid not null references destinations,
  secrets text not null,                -- sealed [{secret, until}]
  store_access text,                    -- sealed: its url, and the credentials that the storefront names
  settings jsonb not null,
  record_from timestamptz not null,
  warnings jsonb not null default '{}',
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index connections_one_live_per_shop on connections (shop_id) where closed_at is null;
create index connections_store on connections (platform, store);

create table orders (
  id bigint generated always as identity primary key,
  shop_id uuid not null,
  platform text not null,
  store text not null,
  order_id text not null,
  connection_id text not null references connections,
  number text,
  facts jsonb not null,                 -- without the customer
  revision int not null default 0,
  recorded_revision int not null default 0,
  held_revision int not null default 0, -- the revision at which a person was asked
  state text not null,
  parked_code text,
  parked_detail text,
  mapping jsonb,                        -- frozen with the first record
  record jsonb,                         -- what stands
  compliance_id text,
  record_destination uuid references destinations,
  previous jsonb,                       -- what stood before a replacement that is not done yet
  open_step jsonb,                      -- journaled, outcome not known
  step_seq int not null default 0,
  attempts int not null default 0,
  fence int not null default 0,
  lease_until timestamptz,
  dirty_since timestamptz,
  due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (shop_id, platform, store, order_id)
) with (fillfactor = 70);
create index orders_behind on orders (due_at) where revision > recorded_revision and revision > held_revision;
create index orders_held on orders (parked_code) where state in ('parked', 'unconfirmed');
create index orders_number on orders (number);
create index orders_platform_id on orders (order_id);
create index orders_connection on orders (connection_id);

-- The only place with personal data of a buyer. erased_at is the tombstone.
create table customers (
  order_ref bigint primary key references orders on delete cascade,
  data jsonb,
  erased_at timestamptz
);

create table deliveries (
  id uuid primary key,
  connection_id text not null references connections,
  order_ref bigint references orders,
  topic text not null,
  platform_delivery_id text,
  store text,
  arrived_at timestamptz not null,
  outcome text not null,                -- merged, duplicate, ignored, warning, closed, privacy, parked, released
  code text,
  detail text,
  body bytea                            -- zstd, until its retention time is over
);
create index deliveries_order on deliveries (order_ref);
create index deliveries_parked on deliveries (arrived_at) where outcome = 'parked';
create index deliveries_kept on deliveries (arrived_at) where body is not null;

-- The journal: one row a step, written before it is sent and again when its outcome is known.
create table steps (
  order_ref bigint not null references orders,
  seq int not null,
  kind text not null,
  revision int not null,
  destination_id uuid not null references destinations,
  record jsonb,
  compliance_id text,
  idempotency_key text,
  attempts int not null default 1,
  outcome text,
  status int,
  detail text,
  began_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (order_ref, seq)
);

-- Deliveries that were accepted while the queue was away.
create table inbox (
  id uuid primary key,
  delivery jsonb not null,
  arrived_at timestamptz not null default now()
);

create table privacy_exports (
  id bigint generated always as identity primary key,
  connection_id text not null references connections,
  request_id text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  unique (connection_id, request_id)
);
`,
};
