/**
 * Document numbers (one sequence per merchant), the month and the accounting amounts of each order, and sales and returns of
 * closed months. Earlier orders get numbers in the order in which they were recorded; their accounting amounts are filled in like missing rates.
 */
export const documentNumbers = `
-- A merchant is the first nine digits of the company number; branches share the sequence.
create table compliance.merchants (
  id text primary key,
  next_number bigint not null
);

-- Numbers whose order was deleted and not replaced: never given again. They outlive their shop.
create table compliance.voided_numbers (
  merchant text not null,
  number bigint not null,
  shop_id uuid not null,
  voided_at timestamptz not null,
  primary key (merchant, number)
);

create table compliance.audit_months (
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  state text not null check (state in ('open', 'generated', 'filed', 'rejected')),
  filed_at timestamptz,
  filed_version int,
  primary key (shop_id, month)
);

-- A sale that a closed month lists and that was deleted or replaced since. entry: its row, without the buyer, for as long as that month's file may
-- have to be made again: until it is filed, and a rejection is no longer to be expected.
create table compliance.filed_sales (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  merchant text not null,
  order_number text not null,
  document_number bigint not null,
  document_date date not null,
  month date not null,
  currency text not null,
  entry jsonb
);
create index filed_sales_of_month on compliance.filed_sales (shop_id, month);
create index filed_sales_by_number on compliance.filed_sales (merchant, document_number);

-- Money given back for such a sale. base: what was still declared before. amount null: base less what stands now; fixed when a later return follows.
create table compliance.returns (
  id uuid primary key,
  sale_id uuid not null references compliance.filed_sales on delete cascade,
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  returned_on date not null,
  way text not null,
  base numeric not null,
  amount numeric,
  changed_at timestamptz not null,
  unique (sale_id, month)
);
create index returns_of_month on compliance.returns (shop_id, month);

alter table compliance.idempotency_keys add document_number bigint;

alter table compliance.orders
  add merchant text,
  add document_number bigint,
  add document_date date,
  add edition smallint not null default 1,
  add month date,
  add sale_id uuid references compliance.filed_sales,
  add accounting_currency text,
  add accounting_total numeric,
  add accounting_vat numeric,
  add exchange jsonb,
  add recorded_at timestamptz not null default clock_timestamp();

alter table compliance.deleted_orders
  add internal_key bytea,
  add merchant text,
  add currency text,
  add document_number bigint,
  add document_date date,
  add edition smallint,
  add month date,
  add sale_id uuid,
  add affects date,
  add recorded_at timestamptz not null default clock_timestamp(),
  add replaced_by uuid,
  add recorded_from timestamptz,
  add listed_number text,
  add entry jsonb;
comment on column compliance.deleted_orders.entry is 'its row without the buyer, kept like that of filed_sales, if a version of its month lists it';

update compliance.orders o set merchant = left(s.details ->> 'companyUic', 9), recorded_at = o.created_at,
  document_date = (o.created_at at time zone 'Europe/Sofia')::date,
  month = date_trunc('month', case when o.internal_created_at ~ '(Z|[+-][0-9]{2}:?[0-9]{2})$'
    then (o.internal_created_at::timestamptz at time zone 'Europe/Sofia')::date else left(o.internal_created_at, 10)::date end)::date
  from compliance.shops s where s.id = o.shop_id;
update compliance.orders set accounting_currency = case when month >= '2026-01-01' then 'EUR' else 'BGN' end;
update compliance.orders o set document_number = n.number from (
  select o.id, first_value((s.details ->> 'receiptStartNumber')::bigint) over w + row_number() over w - 1 as number
  from compliance.orders o join compliance.shops s on s.id = o.shop_id window w as (partition by o.merchant order by o.created_at, o.id)
) n where n.id = o.id;
insert into compliance.merchants (id, next_number) select merchant, max(document_number) + 1 from compliance.orders group by merchant;

alter table compliance.orders
  alter merchant set not null,
  alter document_number set not null,
  alter document_date set not null,
  alter accounting_currency set not null,
  add unique (merchant, document_number);
update compliance.idempotency_keys k set document_number = o.document_number from compliance.orders o where o.id = k.order_id;
create index orders_of_month on compliance.orders (shop_id, month, document_number);
create unique index orders_of_sale on compliance.orders (sale_id) where sale_id is not null;
create index orders_without_rate on compliance.orders (shop_id, month) where accounting_total is null;
-- The one index that begins with the shop: of a young table the planner would not know which of two to take.
create index deleted_orders_by_key on compliance.deleted_orders (shop_id, internal_key);
drop index compliance.deleted_orders_of_shop;

drop function if exists compliance.create_order(uuid, text, bytea, timestamptz, jsonb);

-- How one call of a group that is created ended.
create type compliance.creation as (place int, outcome text, order_id uuid, order_created_at timestamptz, document_number bigint);
`;
