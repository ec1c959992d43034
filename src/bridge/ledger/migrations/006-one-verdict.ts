import type { Migration } from '../../../platform/postgres/migrate.ts';
import { trailTable } from '../../../platform/trail/trail.ts';

export const oneVerdict: Migration = {
  version: 6,
  name: 'one-verdict',
  sql: `
${trailTable({ schema: 'bridge' })}
-- A person's word about a parked order: {how: recorded | not-a-sale | elsewhere | kept | removed, revision, complianceId, code, who, why, at}. It is about
-- that revision of the order; null: none, or it was taken back.
alter table orders add column settled jsonb;
-- People call an order by the number in its number, by its record, or by the document.
create index orders_digits on orders (substring(number from '([0-9]+)[^0-9]*$'));
create index orders_compliance_id on orders (compliance_id) where compliance_id is not null;

-- Troubles that alerts tell of: one row as long as it lasts, and a day beyond, in case it comes back. subject '': it concerns the whole.
create table troubles (
  code text not null,
  subject text not null,
  reason jsonb not null,                -- as it was seen last, in operators' words
  began_at timestamptz not null,
  seen_at timestamptz not null,
  gone_at timestamptz,                  -- since when it is not seen; null: it was there at the last look
  raised_at timestamptz,                -- when it was told first; null: it has not lasted long enough
  told_at timestamptz,                  -- when it was told last, and at which level
  told_level text,
  resolved_at timestamptz,              -- when its end was told
  relapses int not null,
  thread uuid,                          -- the alert that raised it
  primary key (code, subject)
);

-- What is to be told by which channel: the outbox of alerts. next_at: when it is due; null once it is sent or given up.
create table alert_messages (
  id uuid primary key,
  channel text not null,
  kind text not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  next_at timestamptz,
  attempts int not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text
);
create index alert_messages_due on alert_messages (channel, next_at) where next_at is not null;
create index alert_messages_of on alert_messages (channel, created_at);

-- One process at a time judges and tells (holder, until held_until).
create table alert_watch (
  one boolean primary key default true check (one),
  digest_on date,                       -- the last day whose summary was made
  holder uuid,
  held_until timestamptz
);
insert into alert_watch default values;

-- What “orderbridge listen” reads each second: the last minute of what only grows. Such an index costs a writer next to nothing.
alter table deliveries add column kept_at timestamptz not null default '-infinity'; -- when it was written here
alter table deliveries alter column kept_at set default now();
create index deliveries_kept_at on deliveries using brin (kept_at) with (pages_per_range = 16, autosummarize = on);
create index steps_at on steps using brin (began_at, ended_at) with (pages_per_range = 16, autosummarize = on);

-- What reading a store handed to the recorder: the file of a month waits for that of its shop. Recorded ones go when the next are handed over.
create table walk_handed (
  delivery_id uuid primary key,
  connection_id text not null references connections on delete cascade,
  at timestamptz not null default now()
);
create index walk_handed_of on walk_handed (connection_id);

-- Orders that a store lists, and that could not be read whole. They go when they are known as they were listed.
create table unread_orders (
  connection_id text not null references connections on delete cascade,
  order_id text not null,
  number text not null,
  changed_at text not null,             -- the change that was not read, as its snapshot would name it
  since timestamptz not null default now(),
  primary key (connection_id, order_id)
);

-- When the store's key was last refused a change of webhooks; null: it may change them, or it was not tried.
alter table watches add column refused_at timestamptz;
`,
};
