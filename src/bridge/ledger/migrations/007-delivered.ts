import type { Migration } from '../../../platform/postgres/migrate.ts';

/** What the compliance service is still to be told of records, and until when things are kept. */
export const delivered: Migration = {
  version: 7,
  name: 'delivered',
  sql: `
-- What the compliance service must be told of an order's record, beside the record: that its buyer is to be forgotten, or when it was delivered.
create table errands (
  order_ref bigint not null references orders on delete cascade,
  kind text not null check (kind in ('forget-buyer', 'delivered')),
  made_at timestamptz not null default now(),
  next_at timestamptz default now(),    -- when it is due, or due again if its process dies; null: nothing is to be done now
  attempts int not null default 0,
  problem text check (problem in ('unsupported', 'failed')), -- unsupported: the service can't be told
  detail text,
  primary key (order_ref, kind)
);
create index errands_due on errands (next_at) where next_at is not null;
create index errands_not_done on errands (kind) where problem is not null;

-- True: erased because KEEP_BUYERS_DAYS was over, not because somebody asked for it.
alter table customers add column by_age boolean not null default false;
create index customers_kept on customers (order_ref) where data is not null;
-- Of those who were erased before, the service was not told.
insert into errands (order_ref, kind) select c.order_ref, 'forget-buyer' from customers c join orders o on o.id = c.order_ref
  where c.erased_at is not null and (o.compliance_id is not null or o.open_step is not null);

-- When a person dismissed or replayed it: from then on its body is kept for KEEP_UNREADABLE_DAYS.
alter table deliveries add column decided_at timestamptz;
update deliveries set decided_at = now() where body is not null and outcome in ('dismissed', 'replayed');
create index deliveries_decided on deliveries (decided_at) where body is not null and decided_at is not null;
`,
};
