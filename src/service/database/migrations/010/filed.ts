/** What was filed stays: which payment types a file leaves out, the number under which an order is listed, when it was cut, and the day of delivery. */
export const filed = `
-- listed_as: the number under which files list it; null: its internal_number. delivered_at: as the caller said it.
alter table compliance.orders
  add listed_as text,
  add delivered_at text,
  add delivered_on date;
alter table compliance.deleted_orders
  add delivered_at text,
  add delivered_on date;
update compliance.orders o set listed_as = o.internal_number || ' / ' || lpad(o.document_number::text, 10, '0') where exists (
  select from compliance.orders e where e.shop_id = o.shop_id and e.internal_number = o.internal_number and e.document_number < o.document_number
) or exists (
  select from compliance.filed_sales s where s.shop_id = o.shop_id and s.order_number = o.internal_number and s.document_number < o.document_number
);

-- left_out: the payment types that a version, or a month that can't change any more, leaves out. cut_at: until when an attempt to make its file has
-- looked, whether it succeeded, failed or is still being written: what was recorded by then may be listed.
alter table compliance.audit_files add left_out text[] not null default '{}';
alter table compliance.audit_months
  add left_out text[],
  add cut_at timestamptz;
update compliance.audit_files set left_out = '{POSTAL_PAYMENT}' where (summary -> 'leftOut' ->> 'orders')::int > 0;
update compliance.audit_months m set cut_at = (select max(f.cut_at) from compliance.audit_files f where f.shop_id = m.shop_id and f.month = m.month);
-- A version that neither listed nor left out orders paid by post does not tell what its month does with later ones: then the shop's setting counts, as before.
update compliance.audit_months m set left_out = (
  select case when m.state = 'filed' or f.left_out <> '{}' or f.summary #> '{figures,byPayment}' @> '[{"payment": 3}]' then f.left_out end
  from compliance.audit_files f where f.shop_id = m.shop_id and f.month = m.month
    and (m.state <> 'filed' or f.version = m.filed_version) order by f.version desc limit 1);

-- Which versions of its month can tell a return. Returns came into a month before its first file was made.
alter table compliance.returns add recorded_at timestamptz;
update compliance.returns set recorded_at = month::timestamp at time zone 'Europe/Sofia';
alter table compliance.returns
  alter recorded_at set default clock_timestamp(),
  alter recorded_at set not null;

-- Which versions of its month list a sale whatever they leave out: those that were made since it was one.
alter table compliance.filed_sales add recorded_at timestamptz;
update compliance.filed_sales s set recorded_at = coalesce(d.first, clock_timestamp())
  from compliance.filed_sales f left join (select d.sale_id, min(d.recorded_at) as first from compliance.deleted_orders d group by d.sale_id) d on d.sale_id = f.id
  where s.id = f.id;
alter table compliance.filed_sales
  alter recorded_at set default clock_timestamp(),
  alter recorded_at set not null;

create index deleted_orders_by_replacement on compliance.deleted_orders (replaced_by) where replaced_by is not null;
create index deleted_orders_by_number on compliance.deleted_orders (shop_id, listed_number) where listed_number is not null;
create index deleted_orders_of_month on compliance.deleted_orders (month, shop_id);
create index filed_sales_by_order on compliance.filed_sales (shop_id, order_number);

drop function if exists compliance.listed_number(compliance.orders);
drop function if exists compliance.replace_order(compliance.orders, jsonb, date);
drop function if exists compliance.keep_to_filed(uuid, date, timestamptz, date, date);
drop function if exists compliance.attach_to_sale(compliance.orders, uuid, date, date);
`;
