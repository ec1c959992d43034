import type { Migration } from '../../../platform/postgres/migrate.ts';

export const receipts: Migration = {
  version: 2,
  name: 'receipts',
  sql: `
alter table orders add column receipt jsonb; -- of the record that stands: due, got or refused; null: none is asked for
drop index orders_behind;
create index orders_behind on orders (due_at) where (revision > recorded_revision and revision > held_revision) or (receipt ->> 'state') = 'due';

-- A service that fails for receipts alone is left alone for receipts alone.
alter table pauses add column lane text not null default 'records' check (lane in ('records', 'receipts'));
alter table pauses drop constraint pauses_destination_id_shop_id_key;
alter table pauses add unique nulls not distinct (destination_id, shop_id, lane);
`,
};
