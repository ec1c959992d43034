/** Receipts that were issued, and the mails that are to be sent: their text is made when they go out, so nothing of a buyer is kept here. */
export const receipts = `
create table compliance.receipts (
  id uuid primary key,
  order_id uuid not null unique references compliance.orders on delete cascade,
  shop_id uuid not null references compliance.shops on delete cascade,
  seller jsonb not null,
  created_at timestamptz not null
);
create index receipts_of_shop on compliance.receipts (shop_id, created_at, id);

-- next_at: when it is due; null once it is sent or failed. While somebody sends it, it is due again only after the lease.
-- delivered: salted hashes of the recipients who have it already, so that a try after a partial failure leaves them alone.
create table compliance.mails (
  id uuid primary key,
  kind text not null,
  ref jsonb not null,
  dedup_key text not null unique,
  shop_id uuid not null references compliance.shops on delete cascade,
  created_at timestamptz not null,
  next_at timestamptz,
  attempts int not null default 0,
  delivered text[] not null default '{}',
  sent_at timestamptz,
  failed_at timestamptz,
  last_error text
);
create index mails_due on compliance.mails (next_at) where next_at is not null;
create index mails_of_shop on compliance.mails (shop_id, created_at, id);
create index mails_failed on compliance.mails (failed_at) where failed_at is not null;
`;
