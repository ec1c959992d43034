-- The bridge's ledger, version 1 of the schema `bridge`: tables, then indexes, then functions with their triggers.
-- “Sealed” columns are encrypted with a key of `data_keys`, each for its own row (platform/seal). `holder` and `lease_until` are a lease: one process works
-- on the row, and another may take it over once the time is past.

-- ── Keys ──

-- What “sealed” columns are encrypted with, one current key for each purpose, itself encrypted with one of ENCRYPTION_KEYS.
create table data_keys (
  id text primary key,                  -- what it sealed begins with v1.ID.
  purpose text not null,
  sealed text not null,                 -- v1.ID of the one of ENCRYPTION_KEYS.…
  made_under text not null,             -- the one that sealed it first: anyone who had that may have this one
  state text not null check (state in ('coming', 'current', 'retired')), -- coming: processes know it, and none seals with it yet
  sealed_at timestamptz not null default now() -- with its present one of ENCRYPTION_KEYS: earlier backups need the one before
);

-- ── Where records go ──

-- Accounts at a compliance service.
create table destinations (
  id uuid primary key default gen_random_uuid(),
  base_url text,                        -- null: the embedded service, wherever it listens
  key_digest text not null,             -- SHA-256 of the API key: one destination per address and key
  credentials text not null,            -- sealed {apiKey, apiSecret}
  absent_keys jsonb,                    -- the keys of the service's own 404 to the delete of an order that never existed
  absent_seen_at timestamptz,
  created_at timestamptz not null default now(),
  unique nulls not distinct (base_url, key_digest)
);

-- A destination (shop_id null) or one shop of it that is not called until a time.
create table pauses (
  destination_id uuid not null references destinations,
  shop_id uuid,
  call_type text not null default 'records' check (call_type in ('records', 'receipts')), -- a service that fails for receipts only is paused for receipts only
  code text not null,
  detail text not null,
  failures int not null default 1,
  spreads boolean not null default false, -- of one shop: a second shop that is answered so pauses the destination
  since timestamptz not null default now(),
  until timestamptz not null,
  unique nulls not distinct (destination_id, shop_id, call_type)
);

-- ── Stores ──

-- Apps by which stores are connected, each with secrets of its own.
create table store_apps (
  id text primary key check (id ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'), -- chosen by a person; part of addresses
  platform text not null,
  client_id text not null,              -- as the platform names the app
  secrets text not null,                -- sealed: the secrets that sign its webhooks, and until when each is live
  kind text not null check (kind in ('custom', 'public', 'own')),
  scopes text[] not null,               -- what a merchant is asked for
  created_at timestamptz not null default now(),
  removed_at timestamptz
);

-- A store whose orders are recorded for a shop of the compliance service.
create table connections (
  id text primary key,
  platform text not null,
  name text not null,
  store text,                           -- as the platform names it; pinned by the first delivery
  store_identity text,                  -- the platform's own id of the store, whatever its address
  shop_id uuid not null,                -- of the compliance service
  destination_id uuid not null references destinations,
  secrets text not null,                -- sealed [{secret, until}]: what its webhooks are signed with
  store_access text,                    -- sealed: the address of its API, and the credentials that the storefront names
  app text references store_apps,       -- the app that the keys of its API name; null: none does
  settings jsonb not null,
  record_from timestamptz not null,     -- orders paid before it are ignored
  trial_since timestamptz,              -- deliveries are kept and nothing is recorded; null: it records
  recorded_until timestamptz,           -- disconnected then, and on trial since it came back; null: it never recorded
  gaps jsonb not null default '[]',     -- [{from, until}]: disconnected; orders paid then are not taken
  predecessor text references connections, -- a closed one that this may continue: the first delivery's host decides
  apart boolean not null default false, -- declared to be another store than those before it, whatever its deliveries name
  warnings jsonb not null default '{}',
  throttled bigint not null default 0,  -- deliveries that were answered 429
  throttled_at timestamptz,             -- the last of them
  created_at timestamptz not null default now(),
  closed_at timestamptz
);

-- Hosts that deliveries of a connection named, beside the one in connections.store.
create table connection_hosts (
  connection_id text not null references connections on delete cascade,
  host text not null,
  ownership text not null check (ownership in ('quarantined', 'ours', 'not-ours')),
  dismissed int not null default 0,     -- deliveries that were answered and not kept
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  primary key (connection_id, host)
);

-- Access tokens that expire; made or renewed by one process at a time.
create table store_tokens (
  connection_id text primary key references connections on delete cascade,
  token text,                           -- sealed
  holder uuid,
  lease_until timestamptz
);

-- Stores whose API is not called until a time: it hangs or fails (connection_id null), or refuses the key of a connection.
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

-- Calls that one store may have under way at a time: each slot is free again when lease_until is past, at the latest.
create table store_slots (
  host text not null,
  slot int not null,
  holder uuid not null,
  lease_until timestamptz not null,
  primary key (host, slot)
);

-- ── Orders ──

-- One row an order. A row is written at each claim, step and answer, so what is large and seldom changes is in order_facts. Half of a page is kept free:
-- the next version of a row then lies beside the last one, and no index is written.
create table orders (
  id bigint generated always as identity primary key,
  shop_id uuid not null,
  platform text not null,
  store text not null,
  order_id text not null,               -- the platform's id; 'ID~2' is the second order that came under the id ID
  platform_id text,                     -- ID, where order_id is not the platform's
  connection_id text not null references connections,
  number text,                          -- as people know it
  sold_at text collate "C",             -- when it was paid, or else placed: ISO instants in UTC, whose order as text is that of time
  total numeric,                        -- what the customer paid or has to pay; null: not known
  currency text,
  delivered_at text,                    -- ISO
  revision int not null default 0,      -- counts changes of its facts
  recorded_revision int not null default 0, -- the revision that its record says
  review_revision int not null default 0, -- the revision at which a person was asked
  state text not null,
  review_code text,
  review_detail text,
  mapping jsonb,                        -- the settings of its first record, which later changes do not rewrite
  record jsonb,                         -- as the compliance service has it; a number: as the step of this seq has it
  compliance_id text,                   -- the record's id there
  record_destination uuid references destinations,
  previous jsonb,                       -- the record before a replacement that is not done yet; as `record`
  receipt jsonb,                        -- of the record: due, got or refused; null: none is requested
  open_step jsonb,                      -- journaled, outcome not known; the record of a create is in the journal
  step_seq int not null default 0,
  uncertain jsonb,                      -- {complianceId, destinationId}: deleted by a 404 that was believed
  resolution jsonb,                     -- what a person said of it while it needed review: {how: recorded | not-a-sale | elsewhere | kept | removed, revision,
                                        -- complianceId, code, who, why, at}; it is about that revision; null: nothing, or it was taken back
  older_there jsonb,                    -- the store showed an older state than before: {updatedAt, status, kept, at}; null: it did not
  backfilled boolean not null default false, -- a backfill took it in: it is recorded whatever record_from says
  attempts int not null default 0,
  fence int not null default 0,         -- raised by each claim: who claimed it before can't write any more
  lease_until timestamptz,
  dirty_since timestamptz,
  due_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (shop_id, platform, store, order_id)
) with (fillfactor = 50);

-- What deliveries said of an order, merged. Without the customer.
create table order_facts (
  order_ref bigint primary key references orders on delete cascade,
  facts jsonb not null
);

-- The only place with personal data of a buyer.
create table customers (
  order_ref bigint primary key references orders on delete cascade,
  data bytea,                           -- sealed
  erased_at timestamptz,                -- set: erased, and nothing of this buyer is stored again
  by_age boolean not null default false -- erased because KEEP_BUYERS_DAYS was over, not because somebody asked for it
);

-- The journal: one row a request to the compliance service, written before it is sent and again when its outcome is known. Half of a page is kept free, as
-- in orders.
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
) with (fillfactor = 50);

-- What a note at an order in its store says of it: those that are to be written, and of each order the last that was. Kept by the triggers below while the
-- setting `notes` of the connection is on; a job of the connection writes them, in order.
create table store_notes (
  order_ref bigint not null references orders on delete cascade,
  id bigint generated always as identity, -- after the order it names the change
  connection_id text not null references connections on delete cascade,
  state text not null check (state in ('recorded', 'replaced', 'removed', 'unrecorded', 'review')), -- unrecorded: as it was before a person was asked
  code text,                            -- why it needs review; null: it is unconfirmed, or needs none
  compliance_id text,                   -- of the record that it has then
  destination_id uuid references destinations,
  tried_at timestamptz,                 -- a call may have written it: a repeat first looks for it in the store
  written_at timestamptz,
  primary key (order_ref, id)
);

-- Orders about which a person is asked, narrow: pages count and sum them at each look. Kept by the triggers below.
create table review_orders (
  order_ref bigint primary key references orders on delete cascade,
  connection_id text not null,
  state text not null,
  code text not null,                   -- '': unconfirmed
  pattern text not null,                  -- what they have in common beside the code: the gateway and rates that have no setting, or what the service said
  currency text,
  total numeric,                        -- what the customer paid or has to pay; null: not known
  sold_at text collate "C",             -- of the order
  made timestamptz,                     -- when the order was made
  month text,                           -- of that instant, in Sofia
  is_unrecorded boolean not null,
  since timestamptz not null,           -- when the order was first known
  kind bigint not null,                 -- a hash of all texts here: counting by it takes half the time
  revision int not null,                -- of the order
  asked_at timestamptz not null default now() -- since when a person is asked this
);

-- What orders are found by, beside their whole numbers and ids: a job writes it from what changed, so that no order waits for it.
create table order_search (
  order_ref bigint primary key,         -- no reference, whose check of each row was a third of its cost: who writes it has locked the order, and a trigger deletes it
  connection_id text not null,
  number text collate "C",              -- its letters folded to one case, without a # before it
  digits text collate "C",              -- the last ones in it; null: it is they
  total numeric,
  buyer text,                           -- a digest of the buyer's e-mail address; null: none is known, or they are erased
  is_stale boolean not null default false -- something else than a delivery changed the order since, whose row it had locked for update
);

-- Its only row: how far order_search is written.
create table order_search_watch (
  one boolean primary key default true check (one),
  seen pg_snapshot not null default pg_current_snapshot(), -- deliveries of transactions that it sees are in order_search: one that commits late is not among them
  filled_until timestamptz not null default now(), -- when that was taken
  anew_after bigint                     -- all orders are written anew, and those up to this id are; null: they need not be
);
insert into order_search_watch default values;

-- ── Deliveries ──

-- Webhooks that were taken, and orders that were read from a store's API.
create table deliveries (
  id uuid primary key,
  connection_id text not null references connections,
  order_ref bigint references orders,
  topic text not null,
  platform_delivery_id text,
  store text,                           -- as the delivery names it; of a quarantined one its host
  arrived_at timestamptz not null,
  kept_at timestamptz not null default now(), -- when it was written here
  written_by bigint not null default pg_current_xact_id()::text::bigint, -- the transaction that wrote it
  outcome text not null,                -- merged, duplicate, ignored, warning, closed, privacy, in review, quarantined, released, dismissed, replayed
  code text,
  detail text,
  headers jsonb,                        -- beside a body: those of keptHeaders; null: it was not sent to us
  answer_ms int,                        -- from the beginning of its request until it was handed to the queue, and so answered 200; null: it was no request
  body bytea,                           -- of one that names no order, which may wait for a person: sealed zstd, until its retention time is over
  cut boolean not null default false,   -- the day's room for bodies was used up: its body is what was read of it, until that is recorded
  decided_at timestamptz,               -- when a person dismissed or replayed it: from then on its body is kept for KEEP_UNREADABLE_DAYS
  sought_at timestamptz not null default '-infinity' -- up to when the tombstones were made for which the body of no known order was searched
);
alter table deliveries alter column body set storage external;

-- The bodies of deliveries that name an order, which are most of all bytes: by the days on which they were written, so that a day is dropped at once. What comes
-- again finds its row in `deliveries`, whatever the day. Up to 4 KB a body lies in its row, which spares the tables and indexes for what does not.
create table bodies (
  delivery_id uuid not null,            -- no reference, for which each would be looked up: it is written after its delivery and deleted before it
  kept_at timestamptz not null,         -- that of its delivery
  headers jsonb,
  body bytea not null                   -- sealed zstd
) partition by range (kept_at);
alter table bodies alter column body set storage external;
-- What came on a day that was not made in time.
create table bodies_rest partition of bodies default;

-- Deliveries that were accepted while the queue was down.
create table inbox (
  id uuid primary key,
  delivery jsonb not null,
  arrived_at timestamptz not null default now()
);

-- Deliveries that were refused: the last ones of each connection.
create table refusals (
  id bigint generated always as identity primary key,
  connection_id text not null references connections on delete cascade,
  at timestamptz not null,
  code text not null,
  topic text not null,
  client text,                          -- the sender's address; null once the store is disconnected
  platform_delivery_id text,
  headers jsonb not null default '{}',  -- those of keptHeaders
  answer_ms int,
  counts boolean not null               -- its headers were such as the platform sends
);

-- When a connection's webhooks were last taken and refused; written every few seconds.
create table traffic (
  connection_id text primary key references connections on delete cascade,
  accepted_at timestamptz,
  refused_at timestamptz,               -- the last that counts
  refused_code text,
  refused_in_row int not null default 0
);

-- When a connection's webhooks of each topic were last taken.
create table traffic_topics (
  connection_id text not null references connections on delete cascade,
  topic text not null,
  accepted_at timestamptz not null,
  primary key (connection_id, topic)
);

-- What happened in each hour, for 14 days, and in each day of Sofia, for 400, so that pages need not look at orders. A job counts it from the rows that tell
-- of it, and the last hours again at each run.
create table counts (
  span text not null check (span in ('hour', 'day')),
  at timestamptz not null,              -- when it began
  subject text not null,                -- a connection, a destination, or '': all connections, of which each hour has a row, so that none is left out
  received int not null default 0,      -- orders that came for the first time
  recorded int not null default 0,      -- orders that got their first record
  asked int not null default 0,         -- how often a person was asked about an order
  accepted int not null default 0,      -- webhooks that were taken, by when they were written here
  refused int not null default 0,       -- webhooks that were refused, of which no rows tell: they are added with the traffic
  kept bigint not null default 0,       -- bytes of bodies that came to be kept, added with them
  sold int not null default 0,          -- of a day: orders that were paid on it and have a record
  requests int not null default 0,      -- of a destination: answered requests, and those of them that were not taken
  failed int not null default 0,
  p50_ms int,                           -- of a destination's hour: how long half, and 95 of 100, of the answers to a first sending took at most
  p95_ms int,
  sums jsonb,                           -- of all: what the customers of those recorded paid, by currency
  counted_until timestamptz,            -- of all, in an hour: what had happened until then is counted
  primary key (span, at, subject)
) with (fillfactor = 70);

-- ── Buyers' rights ──

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

-- Buyers who asked for their data.
create table privacy_exports (
  id bigint generated always as identity primary key,
  connection_id text not null references connections,
  request_id text not null,
  created_at timestamptz not null default now(),
  unique (connection_id, request_id)
);

-- What they get, one row an order.
create table privacy_export_orders (
  id bigint generated always as identity primary key,
  export_id bigint not null references privacy_exports on delete cascade,
  order_ref bigint not null,            -- as it was then
  platform_id text not null,            -- as a privacy request names it
  data jsonb not null,                  -- without the buyer
  buyer text,                           -- sealed; null: none was known, or they are erased
  unique (export_id, order_ref)
);

-- ── Reading stores ──

-- How far each store was read by its API, and what is to be read next; a job of the connection reads it.
create table store_syncs (
  connection_id text primary key references connections on delete cascade,
  watermark timestamptz,                -- what changed in the store until then is known
  sync_runs jsonb not null default '{}', -- those under way: what they read, and how far they came
  windows jsonb not null default '{}',  -- when each kind of sync run was made last, or is due; and the name by which the store calls itself
  wanted jsonb not null default '[]',   -- windows that must be read, and why
  last jsonb,                           -- what the last sync run found, or why it failed
  read_at timestamptz,                  -- when all changes had been read the last time
  missed int not null default 0,        -- paid orders that no webhook announced
  missed_at timestamptz,
  added_at timestamptz not null default now(),
  reader uuid                           -- the lease of the job that began to read it last, whose writes are the only ones
);

-- What a sync run under way has listed so far, where those that it does not list are looked up in the end.
create table sync_listed (
  connection_id text not null references connections on delete cascade,
  order_id text not null,
  primary key (connection_id, order_id)
);

-- What reading a store handed to the recorder: the file of a month waits for that of its shop. Recorded ones go when the next are handed over.
create table sync_handed (
  delivery_id uuid primary key,
  connection_id text not null references connections on delete cascade,
  at timestamptz not null default now()
);

-- Orders that a store lists, and that could not be read whole. They go when they are known as they were listed.
create table unread_orders (
  connection_id text not null references connections on delete cascade,
  order_id text not null,
  number text not null,
  changed_at text not null,             -- the change that was not read, as its snapshot would name it
  since timestamptz not null default now(),
  primary key (connection_id, order_id)
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

-- What is known of the webhooks that a store sends here. A job of the connection lists them.
create table watches (
  connection_id text primary key references connections on delete cascade,
  since timestamptz not null default now(), -- from when on it is noted which topics were delivered
  listed_at timestamptz,                -- the last time that the store listed them
  good_at timestamptz,                  -- the last time that nothing was wrong with them
  found jsonb not null default '[]',    -- those with an address of this connection
  problems jsonb not null default '[]', -- what is wrong with them, and what was done
  error text,                           -- why they could not be listed the last time
  refused_at timestamptz                -- when the store's key was last refused a change of webhooks; null: it may change them, or it was not tried
);

-- What was reported to the compliance service of a shop's paid orders that are not recorded; a job of the shop counts and tells.
create table outstanding_reports (
  shop_id uuid primary key,
  destination_id uuid not null references destinations,
  at timestamptz,                       -- when the list was counted that it took last; null: none
  months jsonb,                         -- that list
  error text                            -- why it took none the last time; null: it did
);

-- ── Alerts ──

-- Incidents that alerts tell of: one row as long as it lasts, and a day beyond, in case it comes back. subject '': it concerns the whole.
create table incidents (
  code text not null,
  subject text not null,
  failed_check jsonb not null,          -- as it was seen last, in operators' words
  began_at timestamptz not null,
  seen_at timestamptz not null,
  gone_at timestamptz,                  -- since when it is not seen; null: it was there at the last look
  raised_at timestamptz,                -- when it was reported first; null: it has not lasted long enough
  reported_at timestamptz,              -- when it was reported last, and at which level
  reported_level text,
  reported_members jsonb not null,      -- of which, if they are many: ids of stores, or of what else its checks are about
  resolved_at timestamptz,              -- when its end was reported
  relapses int not null,
  thread uuid,                          -- the alert that raised it
  primary key (code, subject)
);

-- The outbox of alerts: what is to be reported by which channel. A job of the channel sends it.
create table alert_messages (
  id uuid primary key,
  channel text not null,
  kind text not null,
  body jsonb not null,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text
);

-- Its only row: one process at a time judges and tells.
create table alert_watch (
  one boolean primary key default true check (one),
  digest_on date,                       -- the last day whose summary was made
  holder uuid,
  lease_until timestamptz
);
insert into alert_watch default values;

-- What calling over the network showed to be wrong the last time: the public address, the mail server, the identity provider, the compliance service.
create table network_checks (
  machine text primary key,             -- of the server that asked
  at timestamptz not null default now(),
  failed jsonb not null                 -- failed checks, as an alert has them
);

-- ── Events for programs of others ──

-- Where they are sent. A job of each sends, for as long as it is not disabled.
create table event_endpoints (
  id uuid primary key default gen_random_uuid(),
  url text not null,
  secrets text not null,                -- sealed [{secret, until}]: all that are live sign
  shop_id uuid,                         -- of this shop of the compliance service only; null: of all, or of a company
  company text,                         -- of the shops of this company (ЕИК without its branch) only
  with_buyers boolean not null,         -- an owner said that buyers are sent, too
  created_at timestamptz not null default now(),
  disabled_at timestamptz,
  disabled_as text check (disabled_as in ('gone', 'failing')) -- it answered 410, or took no event for three days
);

-- One row an endpoint, without buyers, who are read when it is sent. No reference to the endpoint: its removal would hold up orders.
create table events (
  id uuid primary key default gen_random_uuid(),
  seq bigint generated always as identity,
  endpoint uuid not null,
  subject text not null,                -- an order or a month: what comes later of it waits for this event
  type text not null,
  order_ref bigint,
  data jsonb not null,
  created_at timestamptz not null default clock_timestamp(),
  due_at timestamptz not null default now(),
  attempts int not null default 0,
  tried_at timestamptz,                 -- the first time
  sent_at timestamptz,                  -- the last time
  took_ms int,
  status int,                           -- null: no answer
  answer text,                          -- sealed; its beginning, which may repeat a buyer: it goes with them; without an answer, why
  ended_at timestamptz,
  outcome text check (outcome in ('delivered', 'given-up'))
);

-- ── People and what they do ──

-- Who may sign in to the console.
create table people (
  id uuid primary key default gen_random_uuid(),
  email text not null,                  -- sealed
  name text not null default '',
  role text not null check (role in ('owner', 'operator', 'accountant', 'viewer')),
  shops uuid[],                         -- of an accountant: the shops of the compliance service that they see; null: all
  lang text not null default 'en' check (lang in ('en', 'bg')),
  password text,                        -- a PHC string (argon2id); null: they sign in by a link or by OIDC
  issuer text,                          -- of OIDC, with the subject there
  subject text,
  factor text,                          -- sealed: the secret of the app that makes their codes; null: they have no second factor
  factor_step bigint not null default 0, -- the newest step of time whose code was taken: each is taken once
  recovery_codes bytea[] not null default '{}', -- SHA-256 of those that are unused
  factor_due_at timestamptz,            -- from when a sign-in goes on only with a second factor; null: nobody has asked for one yet
  networks text[] not null default '{}', -- keyed digests of the last networks from which they signed in
  seen_at timestamptz,                  -- when they last used the console
  left_at timestamptz,                  -- when they left before that: they did nothing for half an hour; null: never
  access_version int not null default 0, -- raised when what was checked of this person before no longer lets them in: ends sign-ins under way, too
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);

-- By which somebody gives their second factor without a code (WebAuthn). Nobody has one without `people.factor`.
create table passkeys (
  id text primary key,                  -- as the authenticator names it, in base64url
  person uuid not null references people on delete cascade,
  public_key bytea not null,            -- COSE
  counter bigint not null,              -- as it said last: of a copy it is no higher; 0 as long as it does not count
  transports text[] not null,           -- how browsers reach it
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);

-- Who is signed in to the console, in which browser.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  token bytea not null unique,          -- SHA-256 of what the cookie says
  person uuid not null references people on delete cascade,
  way text not null,                    -- how they signed in: password, link, oidc
  agent text not null default '',
  confirmed_at timestamptz default now(), -- when they last proved who they are; null: by the identity provider, who did not say when
  factor_at timestamptz,                -- when they last gave their second factor; null: never
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);

-- What may be done once: set up the console (person is null), choose a password, sign in, give the second factor of a sign-in, and answer a challenge with
-- a passkey, of which there is a row from then on until its time is over.
create table sign_in_links (
  token bytea primary key,              -- SHA-256 of what its address says; of a factor, of what the cookie says
  kind text not null check (kind in ('setup', 'password', 'sign-in', 'factor', 'challenge')),
  person uuid references people on delete cascade,
  access_version int,                   -- of a factor: of the person when the rest was checked
  way text,                             -- of a factor: how they sign in
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- The audit log: who did what, written in the transaction of the act. Rows are added and never changed. No foreign keys: it outlives what it names.
create table acts (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  who text not null,
  act text not null,
  connection_id text,
  order_ref bigint,
  subject text,                         -- what it was done to besides
  before jsonb,
  after jsonb,
  why text
);

-- What a person did to many orders at once, so that anyone who comes back sees what became of them. A job carries it out.
create table bulk_actions (
  id uuid primary key default gen_random_uuid(),
  who text not null,
  act text not null,
  about jsonb not null,                 -- the group or the filter, for words
  orders bigint[] not null,
  at timestamptz not null default now()
);

-- What somebody began on a store’s page and takes longer than an answer, so that anyone who comes back sees how far it is, or what came of it. A job does it.
create table tasks (
  id uuid primary key default gen_random_uuid(),
  connection_id text not null references connections on delete cascade,
  kind text not null check (kind in ('compare', 'repair', 'plan', 'backfill', 'test')),
  who text not null,
  at timestamptz not null default now(),
  about jsonb not null,                 -- what it was begun with
  seen int not null default 0,          -- orders that were read so far
  result jsonb,                         -- what came of it
  problem jsonb,                        -- {en, bg}: why it could not be done
  ended_at timestamptz                  -- it came to its end, or can't be done
);

-- Answers to issues of orders, proposed by somebody who may not give them. The newest one counts.
create table proposals (
  id uuid primary key default gen_random_uuid(),
  connection_id text not null references connections on delete cascade,
  code text not null,                   -- of the issue, as in review_orders
  pattern text not null,
  answers jsonb not null,               -- [{value, name}] for each setting that the issue asks, in its order
  was jsonb not null,                   -- what was set for them then
  note text not null,
  who text not null,
  at timestamptz not null default now(),
  ended_as text check (ended_as in ('accepted', 'declined', 'replaced')),
  ended_by text,
  ended_at timestamptz,
  reason text                           -- why it was declined
);

-- Who looks after an issue, or after one of its orders, and until when it may wait. No column of review_orders can say that: orders come to an issue and
-- leave it, and those that come later are meant, too. It holds as long as an order of the issue waits that waited then.
create table assignments (
  connection_id text not null references connections on delete cascade,
  code text not null,                   -- of the issue, as in review_orders
  pattern text not null,
  order_ref bigint references orders on delete cascade, -- null: of all its orders
  person uuid references people on delete set null, -- null: nobody
  note text not null,
  snoozed_until text,                   -- the day on which it is listed with the others again; null: today
  at timestamptz not null default now(),
  unique nulls not distinct (connection_id, code, pattern, order_ref)
);

-- ── Merchants who connect their stores by pages ──

-- One merchant's invitation, up to a connected store.
create table onboardings (
  id uuid primary key default gen_random_uuid(),
  who text not null,                    -- who invited, as the audit log names them
  email text,                           -- sealed: of the merchant, where they were invited or as they confirmed it; null: they get no mail
  mail_to text,                         -- sealed: where a merchant wants mails who was invited by no mailbox, as typed: nobody has checked it, so it proves nothing
  lang text check (lang in ('en', 'bg')), -- null: as their browser says
  company text,                         -- the company (ЕИК without its branch) for which a shop may be made; null: none is confirmed
  shop_id uuid,                         -- at the compliance service: given by the inviter, chosen, or created
  destination_id uuid references destinations,
  platform text,
  app text references store_apps,       -- the app that the merchant approves; null: none was named
  connection_id text references connections,
  done text[] not null default '{}',    -- steps
  progress text,                        -- sealed JSON, by step: what was typed and found; null: nothing
  sealed text,                          -- keys of the store until there is a connection
  version int not null default 1,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,      -- of the way to the start; what has started goes on
  revoked_at timestamptz,
  started_at timestamptz                -- recording began
);

-- Links by which a merchant comes to the pages of their invitation.
create table onboarding_links (
  token bytea primary key,              -- SHA-256 of what its address says
  onboarding uuid not null references onboardings on delete cascade,
  scope text not null,                  -- all, status, step:NAME, or confirm:MAILBOX and mails:MAILBOX with its digest: it was asked, or may refuse mails
  made_at timestamptz not null default now(),
  expires_at timestamptz,               -- null: without an end
  revoked_at timestamptz
);

-- What was said of mails about a store, whatever mailbox its merchant has now (platform/mail/mailboxes). None go to one without a row.
create table mailboxes (
  onboarding_id uuid not null references onboardings on delete cascade,
  mailbox bytea not null,               -- a keyed digest
  confirmed_at timestamptz,             -- mails may go there: its reader said so, or the merchant was invited there
  refused_at timestamptz,               -- none may: the store is not theirs
  changed_at timestamptz not null default '-infinity', -- when refused_at was
  primary key (onboarding_id, mailbox)
);

-- Codes of a few digits that were mailed, and what they opened (platform/mail/mailed-codes). Of a code nothing is kept: it follows from the id and a key.
create table mail_codes (
  id uuid primary key,
  onboarding_id uuid not null references onboardings on delete cascade,
  mailbox bytea not null,               -- a keyed digest of the mailbox that it was mailed to
  address text,                         -- sealed: that mailbox, if it is to become the merchant's; null: it is by now
  browser bytea not null,               -- SHA-256 of what the browser that asked for it keeps
  tries int not null default 0,
  made_at timestamptz not null,
  opened_until timestamptz              -- null: it was not used
);

-- A store was asked to hand its keys over.
create table hand_overs (
  state bytea primary key,              -- SHA-256 of what the answer brings back
  onboarding uuid not null references onboardings on delete cascade,
  url text not null,                    -- the store that was asked, whatever the answer says
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  taken_at timestamptz,
  proven_at timestamptz,
  sealed text,                          -- the keys that came
  refused text                          -- why the store refused them: they are forgotten
);

-- Merchants who were sent to their store, to approve an app there.
create table grant_requests (
  state bytea primary key,              -- SHA-256 of what the browser brings back
  app text not null references store_apps,
  url text not null,                    -- the store that was asked
  onboarding uuid references onboardings on delete cascade, -- null: it began at the platform, or with the app's own link
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);

-- What only a merchant can put right, as long as it lasts and a day longer.
create table merchant_incidents (
  connection_id text not null references connections on delete cascade,
  cause text not null,
  began_at timestamptz not null,
  seen_at timestamptz not null,
  mailed_at timestamptz,
  primary key (connection_id, cause)
);

-- The outbox of mails to merchants and to people of the console (platform/mail). A job of its id sends it. Its text is made then, from the ids in ref.
create table mails (
  id uuid primary key,
  kind text not null,
  ref jsonb not null,
  dedup_key text not null unique,
  onboarding_id uuid references onboardings on delete cascade, -- null: to people of the console
  created_at timestamptz not null,
  attempts int not null default 0,      -- that it took; of one that waits its job knows
  recipient text,                       -- from its first try on: the keyed digest of the one address that it is for; null before, or if there is only one
  delivered text[] not null default '{}', -- keyed digests of recipients who have it already, so that a try after a partial failure skips them
  light boolean not null default false, -- the mail server refused its size, so it goes without attachments
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text
);

-- ── Upkeep ──

-- Tables that are written with every order. PostgreSQL's own settings let a fifth of a table die before it is cleaned, and a tenth change before it is
-- counted again: of a hundred million orders that is months, in which plans are made by figures that are long out of date.
-- - Cleaning reads the indexes whole, so it begins with a twentieth rather than with less; what a claim or a begin leaves behind is taken by the next
--   statement that comes to the page.
-- - Counting reads a sample, whatever the size: a fiftieth.
-- - Rows that only come are marked as seen by all with a twentieth, too, so that lists and counts are read from indexes alone.
do $$
declare
  busy text;
begin
  foreach busy in array array['orders', 'order_facts', 'steps', 'deliveries', 'customers'] loop
    execute format('alter table %I set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05,
      autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 500)', busy);
  end loop;
end $$;

-- ── Indexes ──

create unique index data_keys_current on data_keys (purpose) where state = 'current';
create unique index store_apps_by_client on store_apps (platform, client_id) where removed_at is null;
create unique index connections_one_live_per_shop on connections (shop_id) where closed_at is null;
create index connections_store on connections (platform, store);
create index connections_of_app on connections (app) where app is not null;

-- Orders that are due, the oldest first.
create index orders_pending on orders (due_at) where (revision > recorded_revision and revision > review_revision) or (receipt ->> 'state') = 'due';
-- Those of one connection, so that connections take turns; those whose record is pending before those that lack only a receipt, so that a look for what is
-- due passes over all of the latter at once while receipts are paused.
create index orders_pending_of on orders (connection_id, (case when revision > recorded_revision and revision > review_revision then 0 else 1 end), due_at)
  where (revision > recorded_revision and revision > review_revision) or (receipt ->> 'state') = 'due';
create index orders_in_review on orders (review_code) where state in ('review', 'unconfirmed');
create index orders_number on orders (number);
create index orders_compliance_id on orders (compliance_id) where compliance_id is not null;
create index orders_platform_id on orders (order_id);
create index orders_reused on orders (shop_id, platform, store, platform_id) where platform_id is not null;
-- Lists of the console. Each takes the newest of each store, and merges them; counts by state read only the first index.
create index orders_by_state on orders (connection_id, state, id);
create index orders_by_sale on orders (connection_id, state, sold_at, id);
-- Beginnings and ends of numbers. With the store, of which somebody may see few.
create index order_search_number on order_search (number, connection_id);
create index order_search_end on order_search (reverse(number), connection_id);
create index order_search_digits on order_search (digits, connection_id) where digits is not null;
create index order_search_total on order_search (total, order_ref, connection_id);
create index order_search_buyer on order_search (buyer) where buyer is not null;
create index order_search_stale on order_search (order_ref) where is_stale;
create index review_orders_similar on review_orders (connection_id, code, pattern, order_ref);
create index review_orders_by_code on review_orders (code, order_ref);

create index store_notes_waiting on store_notes (connection_id, id) where written_at is null;

create index customers_kept on customers (order_ref) where data is not null;
create index steps_of on steps (destination_id, began_at);
-- What “orderbridge tail” reads each second is the last minute of what only grows: an index of this kind costs a writer next to nothing.
create index steps_at on steps using brin (began_at, ended_at) with (pages_per_range = 16, autosummarize = on);

create index bodies_of on bodies (delivery_id);
create index deliveries_order on deliveries (order_ref);
create index deliveries_of on deliveries (connection_id, arrived_at);
-- By the platform's id, exactly; PostgreSQL keeps no null in an index of this kind.
create index deliveries_platform_id on deliveries using hash (platform_delivery_id);
create index deliveries_in_review on deliveries (arrived_at) where outcome = 'review';
create index deliveries_quarantined on deliveries (connection_id, store) where outcome = 'quarantined';
create index deliveries_kept on deliveries (arrived_at) where body is not null;
create index deliveries_decided on deliveries (decided_at) where body is not null and decided_at is not null;
create index deliveries_unread on deliveries (connection_id, sought_at) where order_ref is null and body is not null;
create index deliveries_kept_at on deliveries using brin (kept_at, written_by) with (pages_per_range = 16, autosummarize = on);
-- The oldest first, connections in turns.
create index inbox_of on inbox (coalesce(delivery ->> 'connectionId', ''), arrived_at);
create index refusals_of on refusals (connection_id, id);
create index refusals_at on refusals (at);
create index refusals_platform_id on refusals using hash (platform_delivery_id);
create index tombstones_unfinished on tombstones (made_at) where finished_at is null;
create index tombstones_made on tombstones (shop_id, platform, made_at);

create index sync_handed_of on sync_handed (connection_id);
create unique index backfills_open on backfills (connection_id) where ended_at is null;

create index alert_messages_waiting on alert_messages (channel, created_at, kind, id) where sent_at is null and failed_at is null;
create index alert_messages_of on alert_messages (channel, created_at);

create index events_of on events (endpoint, seq);
create index events_waiting on events (endpoint, seq) where ended_at is null;
create index events_of_subject on events (endpoint, subject, seq) where ended_at is null;
create index events_by_age on events (created_at);
create index events_answered on events (order_ref) where answer is not null;

create unique index people_by_subject on people (issuer, subject) where subject is not null;
create index passkeys_of on passkeys (person);
create index sessions_of_person on sessions (person);
create index sign_in_links_by_age on sign_in_links (expires_at);
create index sign_in_links_of_person on sign_in_links (person);
create index acts_of_order on acts (order_ref, id) where order_ref is not null;
create index acts_of_connection on acts (connection_id, id) where connection_id is not null;
create index acts_of_author on acts (who, id);
create index acts_of_kind on acts (act, id);
create index acts_at on acts using brin (at) with (pages_per_range = 16, autosummarize = on);
create index bulk_actions_by_age on bulk_actions (at);
create unique index tasks_open on tasks (connection_id) where ended_at is null;
create index tasks_of on tasks (connection_id, at);
create index tasks_by_age on tasks (at);
create unique index proposals_open on proposals (connection_id, code, pattern) where ended_at is null;
create index proposals_by_issue on proposals (connection_id, code, pattern, at);

create index assignments_of_order on assignments (order_ref) where order_ref is not null;
create index onboardings_by_age on onboardings (created_at, id);
create index onboardings_of_connection on onboardings (connection_id);
create index onboardings_of_company on onboardings (company) where company is not null;
create index onboarding_links_of on onboarding_links (onboarding);
create index onboarding_links_asked on onboarding_links (scope, made_at) where starts_with(scope, 'confirm:');
create index mailboxes_refused on mailboxes (refused_at) where refused_at is not null;
create index mail_codes_of on mail_codes (onboarding_id);
create index mail_codes_to on mail_codes (mailbox, made_at);
create index hand_overs_of on hand_overs (onboarding);
create index grant_requests_of on grant_requests (onboarding) where onboarding is not null;
create index mails_of_onboarding on mails (onboarding_id, created_at, id);
create index mails_failed on mails (failed_at) where failed_at is not null;

-- ── Functions and triggers ──

-- What orders have in common about which a person is asked, beside the code.
create function pattern_of(code text, detail text) returns text language sql immutable as $$
  select left(case
    when code in ('payment.unmapped', 'vat.unmapped') then (select string_agg(found[1], ' ')
      from regexp_matches(detail, '(The payment method “[^”]*” has no type\.|(?:The|the) VAT rate [0-9.]+ % has no group\.)', 'g') found)
    when code in ('compliance.refused', 'replacement.refused') then regexp_replace(detail, '[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]{4,}', '…', 'g')
  end, 300)
$$;

-- The days of `bodies`: drops those that ended before a day, and makes the next ones, each of `width` days. It is the owner's, since the program's role makes and
-- drops nothing. Recorders wait while it waits for others: it gives way to what reads bodies, such as a backup, and after 100 ms to all else, and is called again; it
-- raises once a day is two days late.
create function keep_days_of_bodies(before date, width int) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
declare
  today date := (now() at time zone 'UTC')::date;
  days int := greatest(width, 1);
  ends date[] := array(select to_date(right(c.relname, 8), 'YYYYMMDD') from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'bridge.bodies'::regclass and c.relname like 'bodies\_until\_%' order by 1);
  ending date;
  until date := today;
begin
  if exists (select from pg_locks l join pg_database d on d.oid = l.database where d.datname = current_database()
      and l.relation = 'bridge.bodies'::regclass and l.mode = 'AccessShareLock') then
    if ends[1] <= before - 2 then
      raise 'bodies until % can''t be dropped, because a transaction that reads them does not end (pg_stat_activity)', ends[1];
    end if;
    return;
  end if;
  foreach ending in array ends loop
    if ending <= before then
      execute format('drop table bridge.%I', 'bodies_until_' || to_char(ending, 'YYYYMMDD'));
    else
      until := greatest(until, ending);
    end if;
  end loop;
  if until = today and exists (select from bridge.bodies_rest where kept_at >= today::timestamp at time zone 'UTC') then
    until := today + 1;
  end if;
  while until <= today + 2 * days loop
    -- Rows only come, and leave all at once.
    execute format('create table bridge.%I partition of bridge.bodies for values from (%L) to (%L) with (toast_tuple_target = 4080, autovacuum_vacuum_insert_threshold = -1)',
      'bodies_until_' || to_char(until + days, 'YYYYMMDD'), until::timestamp at time zone 'UTC', (until + days)::timestamp at time zone 'UTC');
    until := until + days;
  end loop;
exception when lock_not_available or check_violation then
  if ends[1] <= before - 2 then
    raise 'bodies until % can''t be dropped (pg_locks says what holds bridge.bodies): %', ends[1], sqlerrm;
  end if;
end $$;
revoke execute on function keep_days_of_bodies from public;
select keep_days_of_bodies(null, 1);

-- A start that the settings name moves with record_from: else the next change of any of them would take it back, and leave out what counts since.
create function keep_named_start() returns trigger language plpgsql as $$
begin
  new.settings := jsonb_set(new.settings, '{recordFrom}', to_jsonb(to_char(new.record_from at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
  return new;
end $$;
create trigger start_when_moved before insert or update of record_from, settings on connections for each row
  when ((new.settings ->> 'recordFrom')::timestamptz <> new.record_from) execute function keep_named_start();

-- review_orders follows orders.
create function keep_review_order() returns trigger language plpgsql set search_path from current as $$
declare
  made_at timestamptz;
  issue_code text := case new.state when 'review' then coalesce(new.review_code, '') else '' end;
  issue_pattern text := coalesce(case new.state when 'review' then pattern_of(new.review_code, new.review_detail) end, '');
  month_made text;
begin
  if new.state not in ('review', 'unconfirmed') then
    delete from review_orders where order_ref = new.id;
    return null;
  end if;
  begin
    select (f.facts #>> '{snapshot,createdAt}')::timestamptz into made_at from order_facts f where f.order_ref = new.id;
  exception when others then
    made_at := null;
  end;
  month_made := to_char(made_at at time zone 'Europe/Sofia', 'YYYY-MM');
  insert into review_orders values (new.id, new.connection_id, new.state, issue_code, issue_pattern, new.currency, new.total, new.sold_at, made_at, month_made,
    new.record is null, new.created_at,
    hashtextextended(jsonb_build_array(new.connection_id, new.state, issue_code, issue_pattern, new.currency, month_made)::text, 0), new.revision)
  on conflict (order_ref) do update set (connection_id, state, code, pattern, currency, total, sold_at, made, month, is_unrecorded, kind, revision, asked_at) =
    (excluded.connection_id, excluded.state, excluded.code, excluded.pattern, excluded.currency, excluded.total, excluded.sold_at, excluded.made, excluded.month,
    excluded.is_unrecorded, excluded.kind, excluded.revision, case when (review_orders.code, review_orders.pattern) = (excluded.code, excluded.pattern) then review_orders.asked_at else now() end);
  return null;
end $$;
create trigger review_when_made after insert on orders for each row when (new.state in ('review', 'unconfirmed')) execute function keep_review_order();
create trigger review_when_changed after update on orders for each row
  when (new.state in ('review', 'unconfirmed') or old.state in ('review', 'unconfirmed')) execute function keep_review_order();

-- What is said at an order in its store; null: it is being decided.
create function note_state(state text, compliance_id text) returns text language sql immutable as $$
  select case when state in ('review', 'unconfirmed') then 'review' when state = 'queued' then null
    when compliance_id is null then 'removed' else 'recorded' end
$$;

create function wants_notes(c connections) returns boolean language sql immutable as $$
  select c.closed_at is null and coalesce(c.settings -> 'notes' = 'true', false)
$$;

-- Writes what is to be said, if it is another than what was said last; of an order of which nothing was, than what it was before this change.
create function note_order() returns trigger language plpgsql set search_path from current as $$
declare
  said text := coalesce(note_state(new.state, new.compliance_id), case when new.compliance_id is distinct from old.compliance_id then 'recorded' end);
  said_code text := case new.state when 'review' then new.review_code end;
  last store_notes;
begin
  if said is null or (new.state = 'queued' and new.compliance_id is null)
    or not exists (select from connections c where c.id = new.connection_id and wants_notes(c)) then
    return null;
  end if;
  select * into last from store_notes where order_ref = new.id order by id desc limit 1;
  if not found then
    last.state := coalesce(note_state(old.state, old.compliance_id), case when coalesce(old.compliance_id, old.previous::text) is null then 'removed' else 'recorded' end);
    last.code := case old.state when 'review' then old.review_code end;
    -- One that is deleted while another is made in its place has no id any more.
    last.compliance_id := coalesce(old.compliance_id, case when old.previous is not null then '' end);
  end if;
  if said = 'recorded' and last.compliance_id <> new.compliance_id then said := 'replaced'; end if;
  if said = 'removed' and last.state = 'review' and last.compliance_id is null then said := 'unrecorded'; end if;
  if (case said when 'replaced' then '' else said end, said_code, coalesce(new.compliance_id, ''))
    is distinct from (case last.state when 'replaced' then 'recorded' when 'unrecorded' then 'removed' else last.state end, last.code, coalesce(last.compliance_id, '')) then
    insert into store_notes (order_ref, connection_id, state, code, compliance_id, destination_id)
      values (new.id, new.connection_id, said, said_code, new.compliance_id, new.record_destination);
  end if;
  return null;
end $$;
create trigger notes_when_made after insert on orders for each row when (new.state = 'review') execute function note_order();
create trigger notes_when_changed after update on orders for each row
  when ((old.state, old.compliance_id, old.review_code) is distinct from (new.state, new.compliance_id, new.review_code)) execute function note_order();

-- Buyers who are forgotten go in the same transaction from the search, whose job locks their rows meanwhile, and from what endpoints of events answered. Events are
-- locked in their order, as by all that change several.
create function forget_copies_of_buyers() returns trigger language plpgsql set search_path from current as $$
declare
  gone bigint[] := array(select order_ref from changed where data is null);
begin
  if gone = '{}' then return null; end if;
  update order_search set buyer = null where order_ref = any(gone) and buyer is not null;
  update events set answer = null where id in (select id from events where order_ref = any(gone) and answer is not null order by seq for update);
  return null;
end $$;
create trigger buyers_when_forgotten after update on customers referencing new table as changed for each statement execute function forget_copies_of_buyers();

-- As a reference on orders would. Nothing that forgets the buyer later finds what endpoints of events answered.
create function forget_deleted_orders() returns trigger language plpgsql set search_path from current as $$
begin
  delete from order_search where order_ref in (select id from gone);
  update events set answer = null where id in (select id from events where order_ref in (select id from gone) and answer is not null order by seq for update);
  return null;
end $$;
create trigger forgotten_when_deleted after delete on orders referencing old table as gone for each statement execute function forget_deleted_orders();

-- Writes events of a subject for each endpoint that is to have them, in the transaction of their cause.
create function write_events(of_subject text, of_shop uuid, types text[], of_order bigint, about jsonb) returns void language plpgsql set search_path from current as $$
declare
  of_company text;
begin
  -- Companies are known to our own service only.
  if exists (select from event_endpoints where company is not null and disabled_at is null) and to_regclass('compliance.shops') is not null then
    execute $q$select case when length(s.details ->> 'companyUic') = 10 then s.details ->> 'companyUic' else left(s.details ->> 'companyUic', 9) end
      from compliance.shops s where s.id = $1$q$ into of_company using of_shop;
  end if;
  insert into events (endpoint, subject, type, order_ref, data)
    select e.id, of_subject, t.type, of_order, about from event_endpoints e cross join unnest(types) with ordinality t(type, place)
    where e.disabled_at is null and (e.shop_id is null or e.shop_id = of_shop) and (e.company is null or e.company = of_company) order by t.place;
end $$;

-- What became of an order. Its row is locked: events of one order are written one after the other.
create function write_order_events() returns trigger language plpgsql set search_path from current as $$
declare
  had_record boolean := old.compliance_id is not null or old.previous is not null;
  was_asked boolean := coalesce(old.state in ('review', 'unconfirmed'), false);
  is_asked boolean := new.state in ('review', 'unconfirmed');
  types text[] := '{}';
begin
  if new.compliance_id is not null and new.compliance_id is distinct from old.compliance_id then
    types := types || case when had_record then 'order.replaced' else 'order.recorded' end;
  elsif had_record and new.compliance_id is null and new.previous is null then
    types := types || 'order.removed'::text;
  end if;
  if is_asked and not (was_asked and (old.state, old.review_code) is not distinct from (new.state, new.review_code)) then
    types := types || 'order.needs_review'::text;
  elsif was_asked and not is_asked then
    types := types || 'order.resolved'::text;
  end if;
  if types = '{}' then return null; end if;
  perform write_events('order ' || new.id, new.shop_id, types, new.id, jsonb_build_object(
    'order', jsonb_build_object('id', new.order_id, 'number', new.number, 'platform', new.platform, 'store', new.store),
    'connectionId', new.connection_id, 'shopId', new.shop_id, 'state', new.state, 'review', case when is_asked then coalesce(new.review_code, new.state) end,
    'recordId', new.compliance_id, 'total', new.total::text, 'currency', new.currency, 'soldAt', new.sold_at));
  return null;
end $$;
create trigger events_when_made after insert on orders for each row
  when (new.compliance_id is not null or new.state in ('review', 'unconfirmed')) execute function write_order_events();
create trigger events_when_changed after update on orders for each row
  when (old.compliance_id is distinct from new.compliance_id or (old.previous is null) is distinct from (new.previous is null)
    or old.state is distinct from new.state or old.review_code is distinct from new.review_code) execute function write_order_events();

-- Enables the triggers of notes while a connection wants them, and those of events while there is an endpoint, so that without them they cost an order nothing. `waits`:
-- for all that changed orders before, so that none is missed that ends later; else what can't be changed at once is at the next call, since all that change orders
-- queue behind it. It is the owner's, since the program's role changes no tables. The lock is kept until the end of the transaction.
create function keep_order_triggers(waits boolean) returns void language plpgsql security definer
  set search_path = pg_catalog, pg_temp set lock_timeout = '100ms' as $$
declare
  changes text;
begin
  if waits then set local lock_timeout = '3s'; end if;
  -- Another that has the lock may be adding or removing what they are for.
  perform pg_advisory_xact_lock(hashtext('orderbridge order triggers'));
  if waits then lock table bridge.orders in share row exclusive mode; end if;
  select string_agg(format('%s trigger %I', case when wanted then 'enable' else 'disable' end, tgname), ', ') into changes from pg_trigger
    join (values ('notes', exists (select from bridge.connections c where bridge.wants_notes(c))),
      ('events', exists (select from bridge.event_endpoints where disabled_at is null))) w (what, wanted) on starts_with(tgname, what || '_when_')
    where tgrelid = 'bridge.orders'::regclass and wanted <> (tgenabled = 'O');
  if changes is not null then execute 'alter table bridge.orders ' || changes; end if;
exception when lock_not_available then
  if waits then raise 'a transaction that changed orders does not end (pg_locks says which), so that some would be missed: do it again later'
    using errcode = 'lock_not_available'; end if;
end $$;
revoke execute on function keep_order_triggers from public;
select keep_order_triggers(false);

create function acts_stay() returns trigger language plpgsql as $$
begin
  raise exception 'acts are only added, never changed or deleted';
end $$;
create trigger acts_stay before update or delete on acts for each row execute function acts_stay();
create trigger acts_stay_whole before truncate on acts for each statement execute function acts_stay();
