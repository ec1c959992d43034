import type { Migration } from '../../../platform/postgres/migrate.ts';

export const twoWitnesses: Migration = {
  version: 3,
  name: 'two-witnesses',
  sql: `
-- Hosts that deliveries of a connection named, beside the one in connections.store; the store of a held delivery is its host.
create table connection_hosts (
  connection_id text not null references connections on delete cascade,
  host text not null,
  verdict text not null check (verdict in ('held', 'ours', 'not-ours')),
  dismissed int not null default 0,     -- deliveries that were answered and not kept
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (connection_id, host)
);
create index deliveries_held on deliveries (connection_id, store) where outcome = 'held';

alter table connections add column store_identity text;                -- the platform's own id of the store, whatever its address
alter table connections add column gaps jsonb not null default '[]';   -- [{from, until}]: disconnected; orders paid then are not taken
alter table connections add column predecessor text references connections; -- a closed one that this may continue: the first delivery's host decides
alter table connections add column apart boolean not null default false; -- declared to be another store than those before it, whatever its deliveries name

-- 'ID~2': the second order that came under the platform's id ID.
alter table orders add column platform_id text;                        -- ID, where order_id is not the platform's
create index orders_reused on orders (shop_id, platform, store, platform_id) where platform_id is not null;
alter table orders add column doubted jsonb;                           -- {complianceId, destinationId}: deleted by a 404 that was believed

alter table destinations add column absent_keys jsonb;                 -- the keys of its own 404 to the delete of an order that never existed
alter table destinations add column absent_seen_at timestamptz;
alter table pauses add column spreads boolean not null default false;  -- of one shop: a second shop that is answered so pauses the destination
`,
};
