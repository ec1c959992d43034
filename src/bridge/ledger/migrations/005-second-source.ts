import type { Migration } from '../../../platform/postgres/migrate.ts';

export const secondSource: Migration = {
  version: 5,
  name: 'second-source',
  sql: `
-- How far each store was read by its API, and what is to be read next. One process reads a store at a time (holder, until held_until).
create table walks (
  connection_id text primary key references connections on delete cascade,
  watermark timestamptz,                -- what changed in the store until then is known
  walks jsonb not null default '{}',    -- the walks under way: what they read, and how far they came
  windows jsonb not null default '{}',  -- when each kind of walk was made last, or is due; and the name by which the store calls itself
  wanted jsonb not null default '[]',   -- windows that must be read, and why
  last jsonb,                           -- what the last walk found, or why it failed
  read_at timestamptz,                  -- when all changes had been read the last time
  missed int not null default 0,        -- paid orders of which no webhook told
  missed_at timestamptz,
  added_at timestamptz not null default now(),
  next_at timestamptz not null default now(),
  holder uuid,
  held_until timestamptz
);
create index walks_due on walks (next_at);
-- What a walk under way has listed so far, where those that it does not list are looked up in the end.
create table walk_listed (
  connection_id text not null references connections on delete cascade,
  order_id text not null,
  primary key (connection_id, order_id)
);

-- What is known of the webhooks that a store sends here.
create table watches (
  connection_id text primary key references connections on delete cascade,
  since timestamptz not null default now(), -- from when on it is noted which topics were delivered
  listed_at timestamptz,                -- the last time that the store listed them
  good_at timestamptz,                  -- the last time that nothing was wrong with them
  found jsonb not null default '[]',    -- those with an address of this connection
  problems jsonb not null default '[]', -- what is wrong with them, and what was done
  error text,                           -- why they could not be listed the last time
  next_at timestamptz not null default now(),
  holder uuid,
  held_until timestamptz
);
create index watches_due on watches (next_at);
insert into watches (connection_id) select id from connections;

-- What became of a connection's webhooks; written every few seconds.
create table traffic (
  connection_id text primary key references connections on delete cascade,
  accepted_at timestamptz,
  refused_at timestamptz,               -- the last that counts: its headers were such as the platform sends
  refused_code text,
  refused_in_row int not null default 0
);
create table traffic_topics (
  connection_id text not null references connections on delete cascade,
  topic text not null,
  accepted_at timestamptz not null,
  primary key (connection_id, topic)
);
-- The last ones of each connection.
create table refusals (
  id bigint generated always as identity primary key,
  connection_id text not null references connections on delete cascade,
  at timestamptz not null,
  code text not null,
  topic text not null,
  client text,                          -- the sender's address; null once the store is disconnected
  counts boolean not null
);
create index refusals_of on refusals (connection_id, id);
create index deliveries_of on deliveries (connection_id, arrived_at);

-- Access tokens that expire, sealed; made or renewed by one process at a time.
create table store_tokens (
  connection_id text primary key references connections on delete cascade,
  token text,
  holder uuid,
  held_until timestamptz
);

-- Taking in orders from before a connection's time: how far that came.
create table backfills (
  id bigint generated always as identity primary key,
  connection_id text not null references connections on delete cascade,
  sold_from timestamptz not null,
  sold_until timestamptz,
  after text,                           -- where to go on; null: at the beginning
  taken int not null default 0,
  began_at timestamptz not null default now(),
  ended_at timestamptz
);
create unique index backfills_open on backfills (connection_id) where ended_at is null;
-- An order that a backfill took in is ours, whatever recordFrom says.
alter table orders add column backfilled boolean not null default false;

-- What the compliance service was told of a shop's paid orders that are not recorded. One process counts and tells at a time (holder, until held_until).
create table outstanding_told (
  shop_id uuid primary key,
  destination_id uuid not null references destinations,
  at timestamptz,                       -- when the list was counted that it took last; null: none
  months jsonb,                         -- that list
  error text,                           -- why it took none the last time; null: it did
  next_at timestamptz not null default now(),
  holder uuid,
  held_until timestamptz
);
create index outstanding_told_due on outstanding_told (next_at);
`,
};
