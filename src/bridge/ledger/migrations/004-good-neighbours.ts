import type { Migration } from '../../../platform/postgres/migrate.ts';

export const goodNeighbours: Migration = {
  version: 4,
  name: 'good-neighbours',
  sql: `
-- Whose buyers are erased, whatever arrives later: those of one platform id, or (null) of every order of the store.
create table tombstones (
  id bigint generated always as identity primary key,
  shop_id uuid not null,
  platform text not null,
  store text not null,
  platform_id text,
  until timestamptz not null,           -- without platform_id: deliveries that arrived later are not concerned
  made_at timestamptz not null default now(),
  finished_at timestamptz,              -- what was being recorded when it was made is erased, too
  unique nulls not distinct (shop_id, platform, store, platform_id)
);
create index tombstones_unfinished on tombstones (made_at) where finished_at is null;
create index tombstones_made on tombstones (shop_id, platform, made_at);

-- Up to when the tombstones were made for which the body of no known order was searched.
alter table deliveries add column sought_at timestamptz not null default '-infinity';
create index deliveries_unread on deliveries (connection_id, sought_at) where order_ref is null and body is not null;

-- Stores whose API is not called before until: it hangs or fails (of a host), or refuses the key of a connection.
create table store_calls (
  host text not null,
  connection_id text references connections on delete cascade,
  failures int not null,
  code text not null,
  detail text not null,
  since timestamptz not null,
  until timestamptz not null,
  unique nulls not distinct (host, connection_id)
);
-- The places of a store for calls that are under way, each free again at the latest when held_until is over.
create table store_slots (
  host text not null,
  slot int not null,
  holder uuid not null,
  held_until timestamptz not null,
  primary key (host, slot)
);

-- The orders of one connection that are behind, the oldest first; and of the inbox: connections take turns.
create index orders_behind_of on orders (connection_id, due_at) where (revision > recorded_revision and revision > held_revision) or (receipt ->> 'state') = 'due';
create index inbox_of on inbox (coalesce(delivery ->> 'connectionId', ''), arrived_at);

alter table connections add column throttled bigint not null default 0;  -- deliveries that were answered 429
alter table connections add column throttled_at timestamptz;             -- the last of them
`,
};
