/** What a shop asks for beyond the documented interface, receipts that are made without being asked for, and documents that were withdrawn. */
export const receipts = `
-- e_shop_type: 1 own domain, 2 in a platform; null: told from the domain.
alter table compliance.shops
  add automatic_receipts boolean not null default false,
  add receipt_english boolean not null default false,
  add e_shop_type smallint check (e_shop_type in (1, 2));

-- replaces: the number of the withdrawn document that this one replaces. mail_key: of its newest mail; null: the buyer has no usable address.
-- resent: when it was mailed again within the last day.
alter table compliance.receipts
  add english boolean not null default false,
  add replaces bigint,
  add mail_key text,
  add resent timestamptz[] not null default '{}';
update compliance.receipts r set replaces = o.document_number from compliance.orders o where o.id = r.order_id and o.edition > 1;
update compliance.receipts r set mail_key = m.dedup_key from compliance.mails m where m.dedup_key = 'receipt/' || r.id;

-- That a document was issued whose order is deleted: the next one says what it replaces. details: what a storno notice says, and sealed_email, to
-- whom: only until the order is replaced, or the notice sent. notice_at: when its mail was queued.
create table compliance.withdrawn_receipts (
  order_id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  internal_key bytea not null,
  document_number bigint not null,
  edition smallint not null,
  withdrawn_at timestamptz not null,
  details jsonb,
  sealed_email text,
  notice_at timestamptz
);
create index withdrawn_receipts_by_key on compliance.withdrawn_receipts (shop_id, internal_key, withdrawn_at);
create index withdrawn_receipts_open on compliance.withdrawn_receipts (withdrawn_at) where details is not null;
`;
