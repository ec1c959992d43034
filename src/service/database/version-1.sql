-- The compliance service's database, version 1 of the schema `compliance`: tables, then indexes, then what triggers need. Functions of the service are in
-- `.sql` files beside the code that calls them (read-functions.ts).
-- Months are dates, the first day of each. “Sealed” columns are encrypted with keys of the bridge’s `data_keys`, each for its own row (platform/seal).

-- ── Keys, companies, shops ──

-- API keys, and whose they are.
create table compliance.api_keys (
  id uuid primary key,
  owner_id uuid references compliance.api_keys, -- the first key of its owner; null for that key itself
  key_hash bytea not null unique,
  hint text not null,                   -- the key's beginning, by which people recognize it
  label text,
  sealed_secret text not null,
  multi_shop boolean not null,          -- it may have more than one shop
  dialect jsonb not null,               -- how answers are written for it
  test boolean not null default false,  -- of all keys of an owner: their shops are test shops
  created_at timestamptz not null,
  ends_at timestamptz,                  -- it was rotated, and another one takes its place
  revoked_at timestamptz
);

-- Sequences of document numbers. A merchant is a company: branches share its first nine digits, and its sequence.
create table compliance.merchants (
  id text primary key,
  next_number bigint not null,
  turn int not null default 0           -- how often it was lowered, because a skip was taken back
);

-- Who may create shops of a merchant: the owner whose key used the number first, and those whom the operator let in.
create table compliance.company_owners (
  merchant text not null,
  owner_id uuid not null references compliance.api_keys,
  since timestamptz not null,
  granted boolean not null default false, -- the operator said so, whether or not the owner has a shop of the merchant
  primary key (merchant, owner_id)
);

-- Online shops, as their owner's key created them.
create table compliance.shops (
  id uuid primary key,
  api_key_id uuid not null references compliance.api_keys, -- the first key of its owner
  sole_of uuid unique references compliance.api_keys, -- the key that may have no other shop: of two creates at once, one succeeds
  details jsonb not null,               -- as the documented interface has it
  addresses text[] not null,            -- where its mails go, as mailboxes are compared (platform/mail): its own, then those of the other recipients of its months
  marks bytea[] not null,               -- their keyed digests, as in mailboxes
  test boolean not null default false,
  merchant text generated always as (case
    when test then 'T' || (details ->> 'companyUic') || '/' || api_key_id::text
    when length(details ->> 'companyUic') = 10 then details ->> 'companyUic'
    else left(details ->> 'companyUic', 9) end) stored, -- whose sequence of document numbers it takes from; test shops have one of their owner's
  automatic_receipts boolean not null default false, -- receipts are issued without being requested
  receipt_english boolean not null default false,
  e_shop_type smallint check (e_shop_type in (1, 2)), -- 1 own domain, 2 in a platform; null: derived from the domain
  refuse_ended_currencies boolean not null default false,
  earlier_headers jsonb not null default '[]', -- [{"before": "2026-11", …}], the oldest first: what files of the months before that one bear
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- ── Orders ──

-- Recorded orders.
create table compliance.orders (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  internal_id text not null,            -- of the shop's software, as all that is internal
  internal_number text not null,
  internal_created_at text not null,
  line_items jsonb not null,
  payment_type text not null,
  payment_processor_name text,
  transaction_id text,
  precision smallint not null,
  currency text not null,
  customer bytea,                       -- sealed: the buyer; null: none was sent, or it was erased
  total numeric not null,
  net_total numeric not null,
  total_vat numeric not null,
  total_discount numeric not null,
  delivered_at text,                    -- as the caller said it
  delivered_on date,
  merchant text not null,
  document_number bigint not null,
  document_date date not null,
  edition smallint not null default 1,  -- of the document: one more with each order that replaces a deleted one
  listed_as text,                       -- the number under which files list it; null: its internal_number
  month date,                           -- whose file lists it; null: it is a part of sale_id
  sale_id uuid,                         -- it replaces this sale of a closed month
  accounting_currency text not null,
  accounting_total numeric,             -- null: the exchange rate is missing
  accounting_vat numeric,
  accounting_by_rate jsonb,             -- the declared amounts by VAT rate, [{rate, total, vat}]; null: not known
  exchange jsonb,                       -- the rate; null: none was needed, or it is missing
  created_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(), -- when it came into its month: versions that were cut later list it
  unique (shop_id, internal_id),
  unique (merchant, document_number)
);

-- What is left of a deleted order, and of one that moved to another month while a file lists it: no buyer.
create table compliance.deleted_orders (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  internal_key bytea not null,          -- a hash of the internal id, by which its replacement is recognized
  merchant text not null,
  document_number bigint not null,
  document_date date not null,
  edition smallint not null,
  month date,
  sale_id uuid,
  affects date not null,                -- the month whose file changes by the deletion
  currency text not null,               -- of the declared amounts
  delivered_at text,
  delivered_on date,
  replaced_by uuid,                     -- the order that took its place
  listed_number text,                   -- under which a file lists it; null: none does
  refund jsonb,                         -- what is left to tell of money that was given back within the month of its sale: {at, payment, way, total, byRate}
  entry jsonb,                          -- its row without the buyer, kept like that of filed_sales, if a version of its month lists it
  created_at timestamptz not null,
  deleted_at timestamptz not null,
  recorded_from timestamptz not null,   -- recorded_at of the order
  recorded_at timestamptz not null default clock_timestamp()
);

-- Requests that may be repeated. No content, only its hash: an answer is made again from the repeated request, so a deleted order leaves no copy here.
-- No reference to api_keys: keys are revoked, never deleted, and every insert would lock one and the same row.
create table compliance.idempotency_keys (
  api_key_id uuid not null,
  key text not null,
  fingerprint bytea not null,           -- SHA-256 of the request
  order_id uuid not null,               -- the order, or the shop, that was created
  document_number bigint,               -- of an order
  created_at timestamptz not null,
  primary key (api_key_id, key)
);

-- Numbers whose order was deleted and not replaced: never given again. They outlive their shop.
create table compliance.voided_numbers (
  merchant text not null,
  number bigint not null,
  shop_id uuid not null,
  voided_at timestamptz not null,
  primary key (merchant, number)
);

-- Numbers that nobody will get, and why. They outlive the merchant's shops.
create table compliance.skipped_numbers (
  merchant text not null,
  first bigint not null,
  last bigint not null check (last >= first),
  why text not null,
  who text not null,
  at timestamptz not null,
  primary key (merchant, first)
);

-- ── Exchange rates ──

-- Days on which the Bulgarian National Bank published.
create table compliance.rate_sheets (
  published_on date primary key,
  counts_until date not null,           -- the last day on which no newer sheet was there, as far as somebody looked
  check (counts_until >= published_on)
);

-- An amount in the currency is amount * multiply / divide in the base.
create table compliance.exchange_rates (
  currency text not null,
  published_on date not null references compliance.rate_sheets,
  base text not null check (base in ('EUR', 'BGN')),
  multiply numeric not null check (multiply > 0),
  divide numeric not null check (divide > 0),
  source text not null,
  imported_at timestamptz not null,
  primary key (currency, published_on)
);

-- ── Receipts ──

-- Documents of sale that were issued to buyers.
create table compliance.receipts (
  id uuid primary key,
  order_id uuid not null unique references compliance.orders on delete cascade,
  shop_id uuid not null references compliance.shops on delete cascade,
  seller jsonb not null,                -- the shop, as it was when the receipt was issued
  english boolean not null default false,
  replaces bigint,                      -- the number of the withdrawn document that this one replaces
  mail_key text,                        -- of its newest mail; null: the buyer has no usable address
  mail_state text,                      -- what became of that mail, once its row is dropped: sent or failed
  resent timestamptz[] not null default '{}', -- when it was mailed again within the last day
  created_at timestamptz not null
);

-- That a document was issued whose order is deleted: the next one says what it replaces.
create table compliance.withdrawn_receipts (
  order_id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  internal_key bytea not null,
  document_number bigint not null,
  edition smallint not null,
  withdrawn_at timestamptz not null,
  details jsonb,                        -- what a storno notice says, only until the order is replaced, or the notice sent
  sealed_email text,                    -- to whom; as long as details
  notice_at timestamptz                 -- when the notice was queued
);

-- The outbox of mails (platform/mail). A job of its id sends it. Its text is made then, from the ids in ref, so no buyer's data is kept here.
create table compliance.mails (
  id uuid primary key,
  kind text not null,
  ref jsonb not null,
  dedup_key text not null unique,
  shop_id uuid references compliance.shops on delete cascade, -- null: it is to an accountant, of several shops
  created_at timestamptz not null,
  attempts int not null default 0,      -- that it took; of one that waits its job knows
  recipient text,                       -- from its first try on: the keyed digest of the one address that it is for; null before, or if there is only one
  delivered text[] not null default '{}', -- keyed digests of recipients who have it already, so that a try after a partial failure skips them
  light boolean not null default false, -- the mail server refused its size, so it goes without attachments
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text
);

-- Mails of a month to an accountant of several shops, one of a kind (month, reminder) in place of one for each shop.
create table compliance.accountant_mails (
  kind text not null,
  recipient text not null,              -- a hash of its mark and the month
  month date not null,
  since timestamptz not null,           -- when the first shop left its mail to it
  queued_at timestamptz,                -- null: it waits for the other shops; what they report after it is mailed for each of them
  primary key (kind, recipient, month)
);

-- ── Months and their audit files ──

-- How far a month of a shop is: open, its file made, filed.
create table compliance.audit_months (
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  state text not null check (state in ('open', 'generated', 'filed', 'rejected', 'nothing')),
  left_out text[],                      -- the payment types that its file leaves out; null: not decided
  cut_at timestamptz,                   -- until when an attempt to make its file has looked, whether it succeeded, failed or is still being written:
                                        -- what was recorded by then may be listed
  attempt jsonb,                        -- the last one that made no file, as the merchant sees it
  attempted_at timestamptz,
  scheduled_at timestamptz,             -- when the shop's day was served
  reminded_at timestamptz,
  waiting_since timestamptz,
  requested_at timestamptz,                 -- since when its file waits for the store to be read
  filed_at timestamptz,
  filed_on date,                        -- the day that a person named, else that of filed_at
  filed_version int,
  filed_without jsonb,                  -- the paid orders without which it was filed
  incoming_number text,                 -- under which the agency has it
  rejected_words text,                  -- the agency's
  nothing jsonb,                        -- {note, who, at, orders, seen}, of an empty month that is settled with the accountant; so many orders, all left out
                                        -- of its file, were known at that time of the database
  primary key (shop_id, month)
);

-- Every version of a month's file.
create table compliance.audit_files (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  version int not null,
  created_at timestamptz not null,
  cut_at timestamptz not null,          -- it lists what was recorded until then
  left_out text[] not null default '{}', -- the payment types that it leaves out
  header jsonb not null,                -- the shop number, domain and company that it bears
  sha256 text not null,
  bytes bigint not null,
  sums jsonb not null,
  findings jsonb not null,
  summary jsonb not null,
  unique (shop_id, month, version)
);

-- The file's bytes in gzip members. Written before the row of their file is: its hash is known at the end.
create table compliance.audit_file_chunks (
  file_id uuid not null references compliance.audit_files on delete cascade deferrable initially deferred,
  n int not null,
  content bytea not null,
  primary key (file_id, n)
);
alter table compliance.audit_file_chunks alter column content set storage external;

-- Its orders as CSV.
create table compliance.audit_csv_chunks (
  file_id uuid not null references compliance.audit_files on delete cascade deferrable initially deferred,
  n int not null,
  content bytea not null,
  primary key (file_id, n)
);
alter table compliance.audit_csv_chunks alter column content set storage external;

-- Its sums by day, VAT rate and payment, as CSV.
create table compliance.audit_bookkeeping_chunks (
  file_id uuid not null references compliance.audit_files on delete cascade deferrable initially deferred,
  n int not null,
  content bytea not null,
  primary key (file_id, n)
);
alter table compliance.audit_bookkeeping_chunks alter column content set storage external;

-- Sales that a closed month lists and that were deleted or replaced since.
create table compliance.filed_sales (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  merchant text not null,
  order_number text not null,
  document_number bigint not null,
  document_date date not null,
  month date not null,
  currency text not null,
  entry jsonb,                          -- the order's row, without the buyer, for as long as that month's file may have to be made again: until it is filed,
                                        -- and a rejection is no longer to be expected
  recorded_at timestamptz not null default clock_timestamp() -- versions that were made since list it, whatever they leave out
);
alter table compliance.orders add foreign key (sale_id) references compliance.filed_sales;

-- Money given back for such a sale.
create table compliance.returns (
  id uuid primary key,
  sale_id uuid not null references compliance.filed_sales on delete cascade,
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  returned_on date not null,
  way text not null,
  base numeric not null,                -- what was declared of the sale before
  base_by_rate jsonb,                   -- base by VAT rate; null: not known
  amount numeric,                       -- null: base less what is recorded now; fixed when a later return follows
  changed_at timestamptz not null,
  recorded_at timestamptz not null default clock_timestamp(), -- versions that were cut later can tell it
  unique (sale_id, month)
);

-- Links in mails, one for a recipient, shop and month.
create table compliance.month_links (
  id uuid primary key,
  token_hash bytea not null unique,     -- the token is only in the mail
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  recipient text not null,              -- a keyed hash of the address, which is kept only with the shop
  turn int not null,                    -- 1, and one more with each link that followed an expired one
  created_at timestamptz not null,
  expires_on date not null,
  renewed_at timestamptz,               -- when a new link was requested by this one
  unique (shop_id, month, recipient, turn)
);

-- Codes of a few digits that were mailed, and what they opened (platform/mail/mailed-codes). Of a code nothing is kept: it follows from the id and a key.
create table compliance.mail_codes (
  id uuid primary key,
  link_id uuid not null references compliance.month_links on delete cascade,
  mailbox bytea not null,               -- the link's recipient, which is a digest
  address text,                         -- always null
  browser bytea not null,               -- SHA-256 of what the browser that asked for it keeps
  tries int not null default 0,
  made_at timestamptz not null,
  opened_until timestamptz              -- null: it was not used
);

-- What was said of mails of a shop, and by whom somebody typed it is to be said (platform/mail/mailboxes). One without a row that the shop names gets them.
create table compliance.mailboxes (
  shop_id uuid not null references compliance.shops on delete cascade,
  mailbox bytea not null,               -- a keyed digest of the address, which is kept only with the shop
  asked_at timestamptz,                 -- whether they want them
  confirmed_at timestamptz,             -- mails may go there
  refused_at timestamptz,               -- none may: the shop is not theirs
  changed_at timestamptz not null default '-infinity', -- when refused_at was
  primary key (shop_id, mailbox)
);

-- Who else gets the months of a shop, beside the shop itself: not those who refused, or did not confirm it.
create view compliance.accountants as
  select s.id as shop_id, one.address, one.mark from compliance.shops s cross join unnest(s.addresses[2:], s.marks[2:]) one (address, mark)
  where not s.test and not exists (select from compliance.mailboxes m where m.shop_id = s.id and m.mailbox = one.mark
    and (m.refused_at is not null or m.confirmed_at is null));

-- What shops reported of paid orders that are not recorded.
create table compliance.outstanding (
  shop_id uuid primary key references compliance.shops on delete cascade,
  at timestamptz not null,
  months jsonb not null
);

-- ── The audit log ──

-- Who did what to shops, keys and months, written in the transaction of the act. Rows are added and never changed. No foreign keys: it outlives what it
-- names. The columns are those of the bridge's (platform/audit-log).
create table compliance.acts (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  who text not null,
  act text not null,
  connection_id text,
  order_ref bigint,
  subject text,                         -- the id of the shop, key, company or month that it was done to
  before jsonb,
  after jsonb,
  why text
);

-- ── Indexes ──

create index shops_of_key on compliance.shops (api_key_id);
create index shops_of_merchant on compliance.shops (merchant);

create index orders_by_age on compliance.orders (shop_id, created_at, id);
-- The board of months adds up those that have no file yet, and looks for what was recorded since one was made: both read only this index.
create index orders_of_month on compliance.orders (shop_id, month, document_number) include (accounting_total, accounting_vat, recorded_at);
create unique index orders_of_sale on compliance.orders (sale_id) where sale_id is not null;
create index orders_without_rate on compliance.orders (shop_id, month) where accounting_total is null;
create index orders_with_buyer on compliance.orders (created_at) where customer is not null;
-- Orders in a currency that had ended: no order of such a currency is listed in an earlier month than its first index entry, unless it was made while the
-- currency was in use.
create index orders_in_ended_currency on compliance.orders (shop_id, month)
  where month >= '2026-02-01' and currency in ('BGN', 'HRK', 'LTL', 'LVL', 'EEK', 'SKK', 'CYP', 'MTL', 'SIT', 'ATS', 'BEF', 'DEM', 'ESP', 'FIM', 'FRF', 'GRD', 'IEP', 'ITL', 'LUF', 'NLG', 'PTE');
-- Statements that record orders look by the last two: of indexes that cost the same for a young table the planner takes the one made last.
create index orders_by_number on compliance.orders (shop_id, internal_number);
-- Orders that one payment paid.
create index orders_of_transaction on compliance.orders (shop_id, transaction_id) where payment_type in ('PAYMENT_PROCESSOR', 'VIRTUAL_POS');
-- The only index that begins with the shop and is whole: of a young table the planner would not know which of two to take.
create index deleted_orders_by_key on compliance.deleted_orders (shop_id, internal_key);
create index deleted_orders_by_number on compliance.deleted_orders (shop_id, listed_number) where listed_number is not null;
create index deleted_orders_by_replacement on compliance.deleted_orders (replaced_by) where replaced_by is not null;
create index deleted_orders_of_month on compliance.deleted_orders (month, shop_id);
create index idempotency_keys_by_age on compliance.idempotency_keys (created_at);

create index receipts_of_shop on compliance.receipts (shop_id, created_at, id);
create index withdrawn_receipts_by_key on compliance.withdrawn_receipts (shop_id, internal_key, withdrawn_at);
create index withdrawn_receipts_open on compliance.withdrawn_receipts (withdrawn_at) where details is not null;
create index mails_unsent on compliance.mails (created_at) where sent_at is null;
create index mails_of_shop on compliance.mails (shop_id, created_at, id);
create index mails_failed on compliance.mails (failed_at) where failed_at is not null;
create index mails_over on compliance.mails ((coalesce(sent_at, failed_at))) where coalesce(sent_at, failed_at) is not null;

create index audit_months_unfiled on compliance.audit_months (shop_id, month) where state <> 'filed';
create index audit_files_by_age on compliance.audit_files (created_at, id);
create index filed_sales_of_month on compliance.filed_sales (shop_id, month);
create index filed_sales_by_number on compliance.filed_sales (merchant, document_number);
create index filed_sales_by_order on compliance.filed_sales (shop_id, order_number);
create index returns_of_month on compliance.returns (shop_id, month);

create index mailboxes_by_mark on compliance.mailboxes (mailbox);
create index mailboxes_refused on compliance.mailboxes (refused_at) where refused_at is not null;

create index acts_of_order on compliance.acts (order_ref, id) where order_ref is not null;
create index acts_of_connection on compliance.acts (connection_id, id) where connection_id is not null;
create index acts_of_subject on compliance.acts (subject, id) where subject is not null;
create index acts_at on compliance.acts using brin (at) with (pages_per_range = 16, autosummarize = on);

create index mail_codes_of on compliance.mail_codes (link_id);
create index mail_codes_to on compliance.mail_codes (mailbox, made_at);

-- ── Types, functions and triggers ──

-- How one call of a group that is created ended.
create type compliance.creation as (place int, outcome text, order_id uuid, order_created_at timestamptz, document_number bigint);

create function compliance.acts_stay() returns trigger language plpgsql as $$
begin
  raise exception 'acts are only added, never changed or deleted';
end $$;
create trigger acts_stay before update or delete on compliance.acts for each row execute function compliance.acts_stay();
create trigger acts_stay_whole before truncate on compliance.acts for each statement execute function compliance.acts_stay();
