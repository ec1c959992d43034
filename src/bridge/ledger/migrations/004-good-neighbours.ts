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
  finished_at timestamptz,              -- bodies of no known order are erased, too, and what was under way when it was made
  unique nulls not distinct (shop_id, platform, store, platform_id)
);
create index tombstones_unfinished on tombstones (made_at) where finished_at is null;

-- How the calls of a store's API go, by the host of its address. until: not called before; null: it answers.
create table store_calls (
  host text primary key,
  failures int not null default 0,
  code text,
  detail text,
  since timestamptz,
  until timestamptz
);
-- The places of a store for calls that are under way, each free again at the latest when held_until is over.
create table store_slots (
  host text not null,
  slot int not null,
  held_until timestamptz not null,
  primary key (host, slot)
);

alter table connections add column throttled bigint not null default 0;  -- deliveries that were answered 429
alter table connections add column throttled_at timestamptz;             -- the last of them
`,
};
