-- A month is marked as filed with a version that lacks the last changes: what the agency has is what counts. What the version lists and was deleted
-- since is a sale of it, and a return; what it does not list goes into the next open month. p_cut: when the version was cut. The month is closed and
-- the shop locked before.
create or replace function compliance.keep_to_filed(p_shop uuid, p_month date, p_cut timestamptz, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  gone compliance.deleted_orders;
  told compliance.returns;
  late compliance.orders;
  sale uuid;
begin
  perform from compliance.merchants m where m.id in (select o.merchant from compliance.orders o where o.shop_id = p_shop) order by m.id for update;

  -- Sales that the version lists, deleted since.
  for gone in select d.* from compliance.deleted_orders d where d.shop_id = p_shop and d.month = p_month and d.sale_id is null
    and d.recorded_from <= p_cut and d.recorded_at > p_cut and d.entry is not null
  loop
    sale := gen_random_uuid();
    insert into compliance.filed_sales (id, shop_id, merchant, order_number, document_number, document_date, month, currency, entry)
      values (sale, p_shop, gone.merchant, gone.listed_number, gone.document_number, gone.document_date, p_month, gone.currency, gone.entry);
    perform compliance.add_return(sale, p_shop, (gone.deleted_at at time zone 'Europe/Sofia')::date, (gone.entry ->> 'accounting_total')::numeric, p_today, p_first_open);
    update compliance.returns r set base_by_rate = compliance.by_rate_of(jsonb_populate_record(null::compliance.orders, gone.entry)) where r.sale_id = sale;
    delete from compliance.voided_numbers v where v.merchant = gone.merchant and v.number = gone.document_number;
    update compliance.deleted_orders d set sale_id = sale
      where d.shop_id = p_shop and d.internal_key = gone.internal_key and d.recorded_at >= gone.recorded_at and d.sale_id is null;
    select * into late from compliance.orders o where o.shop_id = p_shop and o.month = p_month and o.edition > gone.edition
      and o.document_number = gone.document_number and o.merchant = gone.merchant;
    if found then perform compliance.attach_to_sale(late, sale, p_today, p_first_open); end if;
  end loop;

  -- Returns that the version tells, changed since.
  for told in select r.* from compliance.returns r where r.shop_id = p_shop and r.month = p_month and r.amount is null and r.changed_at > p_cut loop
    select * into gone from compliance.deleted_orders d
      where d.shop_id = p_shop and d.sale_id = told.sale_id and d.month is null and d.recorded_from <= p_cut and d.recorded_at > p_cut and d.entry is not null;
    update compliance.returns r set amount = r.base - coalesce((gone.entry ->> 'accounting_total')::numeric, 0) where r.id = told.id;
    if gone.id is not null then
      perform compliance.add_return(told.sale_id, p_shop, (gone.deleted_at at time zone 'Europe/Sofia')::date, (gone.entry ->> 'accounting_total')::numeric, p_today, p_first_open);
      update compliance.returns r set base_by_rate = compliance.by_rate_of(jsonb_populate_record(null::compliance.orders, gone.entry))
        where r.sale_id = told.sale_id and r.month > told.month and r.base_by_rate is null;
    end if;
    select * into late from compliance.orders o where o.sale_id = told.sale_id and o.recorded_at > p_cut;
    if found then perform compliance.attach_to_sale(late, told.sale_id, p_today, p_first_open); end if;
  end loop;

  -- Orders that the version does not list.
  update compliance.orders o set month = compliance.month_for(p_shop, p_month, p_today, p_first_open)
    where o.shop_id = p_shop and o.month = p_month and o.recorded_at > p_cut;
end $$;

-- A return in the month of its day; that of today, if that month is closed already.
create or replace function compliance.add_return(p_sale uuid, p_shop uuid, p_day date, p_base numeric, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  target date := compliance.month_for(p_shop, date_trunc('month', p_day)::date, p_today, p_first_open);
begin
  insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, changed_at)
    select gen_random_uuid(), p_sale, p_shop, target, case when date_trunc('month', p_day) = target then p_day else p_today end,
      s.details ->> 'returnPaymentMethod', p_base, clock_timestamp() from compliance.shops s where s.id = p_shop
    on conflict (sale_id, month) do nothing;
end $$;

-- What replaces a sale is part of it, or, if it is more or its sum is not known, a sale of its own with a number of its own.
create or replace function compliance.attach_to_sale(p_order compliance.orders, p_sale uuid, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  back compliance.returns;
  number bigint;
begin
  select * into back from compliance.returns r where r.sale_id = p_sale and r.amount is null order by r.month desc limit 1;
  if found and p_order.accounting_total <= back.base then
    update compliance.orders o set sale_id = p_sale, month = null where o.id = p_order.id;
    return;
  end if;
  update compliance.returns r set amount = r.base, way = 'OTHER' where r.id = back.id;
  update compliance.merchants m set next_number = m.next_number + 1 where m.id = p_order.merchant returning m.next_number - 1 into number;
  update compliance.orders o set sale_id = null, document_number = number, document_date = p_today, edition = 1,
    month = compliance.month_for(p_order.shop_id, coalesce(p_order.month, date_trunc('month', p_today)::date), p_today, p_first_open)
    where o.id = p_order.id;
end $$;
