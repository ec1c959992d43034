-- A version of a month is marked as filed: what the agency has is what counts, whatever came later. What the version lists and was deleted or moved
-- since is a sale of it; what it does not list goes into the next open month. The month is closed and the shop locked before. p_euro: the amounts in euro,
-- by order, of what may go from a month in leva to one in euro; null: nothing does.
create or replace function compliance.keep_to_filed(p_file uuid, p_today date, p_first_open date, p_euro jsonb, p_euro_from date)
returns void language plpgsql as $$
declare
  filed compliance.audit_files;
  sold compliance.filed_sales;
  gone compliance.deleted_orders;
  listed compliance.returns;
  late compliance.orders;
  sale uuid;
  given_back date;
  later_month date;
  is_in_euro boolean;
begin
  select * into filed from compliance.audit_files f where f.id = p_file;
  update compliance.audit_months m set left_out = filed.left_out where m.shop_id = filed.shop_id and m.month = filed.month;
  perform from compliance.merchants m where m.id in (
    with sellers as materialized (select s.merchant from compliance.shops s where s.id = filed.shop_id
      union select o.merchant from compliance.orders o where o.shop_id = filed.shop_id)
    select merchant from sellers) order by m.id for update;

  -- Sales that the version lists, deleted or moved since, or listed with another amount since: another version was marked before and was rejected.
  for gone in select d.* from compliance.listed_then(filed.shop_id, filed.month, filed.cut_at, filed.left_out) d
    where d.sale_id is null or exists (select from compliance.filed_sales s where s.id = d.sale_id and s.recorded_at > filed.cut_at)
  loop
    sale := compliance.adopt_sale(gone, p_today, p_first_open);
    if sale is not null then continue; end if;
    sale := gen_random_uuid();
    insert into compliance.filed_sales (id, shop_id, merchant, order_number, document_number, document_date, month, currency, entry)
      values (sale, gone.shop_id, gone.merchant, gone.listed_number, gone.document_number, gone.document_date, gone.month, gone.currency, gone.entry);
    select (max(d.deleted_at) at time zone 'Europe/Sofia')::date into given_back from compliance.deleted_orders d
      where d.shop_id = gone.shop_id and d.internal_key = gone.internal_key and d.document_number = gone.document_number and d.recorded_at >= gone.recorded_at;
    perform compliance.add_return(sale, gone.shop_id, given_back, (gone.entry ->> 'accounting_total')::numeric, p_today, p_first_open);
    update compliance.returns r set base_by_rate = compliance.by_rate_of(jsonb_populate_record(null::compliance.orders, gone.entry)) where r.sale_id = sale;
    delete from compliance.voided_numbers v where v.merchant = gone.merchant and v.number = gone.document_number;
    update compliance.deleted_orders d set sale_id = sale
      where d.shop_id = gone.shop_id and d.internal_key = gone.internal_key and d.document_number = gone.document_number
        and d.recorded_at >= gone.recorded_at and d.sale_id is null;
    select * into late from compliance.orders o where o.merchant = gone.merchant and o.document_number = gone.document_number and o.sale_id is null
      and (o.month = filed.month or not compliance.is_filed(o.shop_id, o.month));
    if found then
      perform compliance.attach_to_sale(late, gone, sale, p_today, p_first_open);
    elsif exists (select from compliance.deleted_orders d join compliance.orders o on o.id = d.replaced_by
      where d.shop_id = gone.shop_id and d.internal_key = gone.internal_key) then
      update compliance.returns r set amount = r.base, way = 'OTHER' where r.sale_id = sale;
    end if;
  end loop;

  for listed in select r.* from compliance.returns r where r.shop_id = filed.shop_id and r.month = filed.month and r.changed_at > filed.cut_at loop
    if listed.recorded_at > filed.cut_at then
      perform compliance.move_return(listed, p_today, p_first_open);
    elsif listed.amount is null then
      select * into late from compliance.orders o where o.sale_id = listed.sale_id and o.recorded_at > filed.cut_at;
      if found then
        -- The version tells it whole: what was recorded of the sale since is not in it.
        update compliance.returns r set amount = r.base where r.id = listed.id;
        perform compliance.attach_to_sale(late, gone, listed.sale_id, p_today, p_first_open);
      end if;
    end if;
  end loop;

  -- Deleted when the version that would be filed was not known, after the term or when another one was marked: it lists them not, so a later file has to.
  later_month := compliance.month_for(filed.shop_id, filed.month, p_today, p_first_open);
  is_in_euro := p_euro is not null and filed.month < p_euro_from and later_month >= p_euro_from;
  for sold in select s.* from compliance.filed_sales s
    where s.shop_id = filed.shop_id and s.month = filed.month and s.entry is not null and s.recorded_at > filed.cut_at
      and not exists (select from compliance.listed_then(filed.shop_id, filed.month, filed.cut_at, filed.left_out) d
        where d.merchant = s.merchant and d.document_number = s.document_number)
  loop
    perform compliance.keep_listed_sale(sold);
    update compliance.filed_sales s set month = later_month, recorded_at = clock_timestamp() where s.id = sold.id;
    if is_in_euro then perform compliance.sale_in(sold, 'EUR', p_euro -> (sold.entry ->> 'id'), p_euro); end if;
    perform compliance.give_back_later(sold.id, later_month, p_today);
  end loop;

  -- Orders that the version does not list; those that it leaves out stay.
  perform compliance.keep_listed(o, o.created_at) from compliance.orders o
    where o.shop_id = filed.shop_id and o.month = filed.month and o.recorded_at > filed.cut_at and o.payment_type <> all (filed.left_out);
  if is_in_euro then
    update compliance.orders o set accounting_currency = 'EUR', accounting_total = (p_euro -> o.id::text ->> 'total')::numeric,
        accounting_vat = (p_euro -> o.id::text ->> 'vat')::numeric, accounting_by_rate = p_euro -> o.id::text -> 'byRate'
      where o.shop_id = filed.shop_id and o.month = filed.month and o.recorded_at > filed.cut_at and o.payment_type <> all (filed.left_out);
  end if;
  update compliance.orders o set month = later_month, recorded_at = clock_timestamp()
    where o.shop_id = filed.shop_id and o.month = filed.month and o.recorded_at > filed.cut_at and o.payment_type <> all (filed.left_out);
end $$;

-- What a version of a month that was cut then lists, and is not listed any more, or not so.
create or replace function compliance.listed_then(p_shop uuid, p_month date, p_cut_at timestamptz, p_left_out text[]) returns setof compliance.deleted_orders
language sql stable as $$
  select d.* from compliance.deleted_orders d where d.shop_id = p_shop and d.month = p_month and d.recorded_from <= p_cut_at and d.recorded_at > p_cut_at
    and d.entry is not null and (d.entry ? 'is_declared' or d.entry ->> 'payment_type' <> all (p_left_out))
$$;

-- A sale is listed in another month from now on, or with another amount; see keep_listed.
create or replace function compliance.keep_listed_sale(p_sold compliance.filed_sales) returns void language sql as $$
  select compliance.keep_listed(jsonb_populate_record(null::compliance.orders, p_sold.entry || jsonb_build_object(
    'month', p_sold.month, 'recorded_at', p_sold.recorded_at, 'listed_as', p_sold.order_number)), p_sold.recorded_at, p_sold.id, true)
$$;

-- Nothing is given back before the file that lists the sale: it is reported there, or in the first later file that gives back of it anyway. What a filed
-- version reported already stays.
create or replace function compliance.give_back_later(p_sale uuid, p_month date, p_today date) returns void language plpgsql as $$
declare
  early compliance.returns;
  kept compliance.returns;
begin
  select r.* into early from compliance.returns r where r.sale_id = p_sale order by r.month limit 1;
  if not found or early.month >= p_month or exists (select from compliance.returns r join compliance.audit_months m on m.shop_id = r.shop_id and m.month = r.month
    where r.sale_id = p_sale and r.month < p_month and m.state = 'filed') then return; end if;
  select r.* into kept from compliance.returns r where r.sale_id = p_sale and r.month >= p_month order by r.month limit 1;
  if not found then select r.* into kept from compliance.returns r where r.sale_id = p_sale order by r.month desc limit 1; end if;
  delete from compliance.returns r where r.sale_id = p_sale and r.month < p_month and r.id <> kept.id;
  kept.month := greatest(kept.month, p_month);
  update compliance.returns r set month = kept.month, returned_on = compliance.day_in(kept.month, kept.returned_on, p_today), base = early.base,
      base_by_rate = early.base_by_rate, amount = r.amount + early.base - kept.base, changed_at = clock_timestamp(), recorded_at = clock_timestamp()
    where r.id = kept.id;
end $$;

-- A sale that a file in the other currency lists, with what was given back of it and what is recorded. p_amounts: of orders, if they are known.
create or replace function compliance.sale_in(p_sold compliance.filed_sales, p_currency text, p_declared jsonb, p_amounts jsonb) returns void language plpgsql as $$
declare
  whole numeric := (p_sold.entry ->> 'accounting_total')::numeric;
begin
  update compliance.filed_sales s set currency = p_currency, entry = s.entry || jsonb_build_object('accounting_currency', p_currency,
      'accounting_total', p_declared -> 'total', 'accounting_vat', p_declared -> 'vat', 'accounting_by_rate', p_declared -> 'byRate')
    where s.id = p_sold.id;
  update compliance.returns r set base_by_rate = null,
      base = case when r.base = whole then (p_declared ->> 'total')::numeric else compliance.tied_amount(r.base, p_sold.currency) end,
      amount = case when r.amount = whole then (p_declared ->> 'total')::numeric else compliance.tied_amount(r.amount, p_sold.currency) end
    where r.sale_id = p_sold.id;
  update compliance.orders o set accounting_currency = p_currency, accounting_by_rate = p_amounts -> o.id::text -> 'byRate',
      accounting_total = coalesce((p_amounts -> o.id::text ->> 'total')::numeric, compliance.tied_amount(o.accounting_total, p_sold.currency)),
      accounting_vat = coalesce((p_amounts -> o.id::text ->> 'vat')::numeric, compliance.tied_amount(o.accounting_vat, p_sold.currency))
    where o.sale_id = p_sold.id;
end $$;

-- Did a person mark a version as filed? Of a month that is only past its term a version that was not made yet can still be filed.
create or replace function compliance.is_filed(p_shop uuid, p_month date) returns boolean language sql stable
  return exists (select from compliance.audit_months m where m.shop_id = p_shop and m.month = p_month and m.state = 'filed');

-- A sale that is known already, because another version was thought to be the one that is filed: it is declared as this one lists it. If that is more, the
-- next file gives back what is more; if less, less is given back. Null if there is no such sale.
create or replace function compliance.adopt_sale(p_gone compliance.deleted_orders, p_today date, p_first_open date) returns uuid language plpgsql as $$
declare
  sold compliance.filed_sales;
  declared jsonb;
  more numeric;
  is_other boolean;
begin
  select * into sold from compliance.filed_sales s where s.merchant = p_gone.merchant and s.document_number = p_gone.document_number
    and (s.month = p_gone.month or not compliance.is_filed(s.shop_id, s.month));
  if not found then return null; end if;
  is_other := sold.month <> p_gone.month or sold.entry -> 'edition' <> p_gone.entry -> 'edition';
  if is_other then perform compliance.keep_listed_sale(sold); end if;
  if sold.currency <> p_gone.currency then
    declared := case when sold.entry -> 'edition' = p_gone.entry -> 'edition'
      then jsonb_build_object('total', p_gone.entry -> 'accounting_total', 'vat', p_gone.entry -> 'accounting_vat', 'byRate', p_gone.entry -> 'accounting_by_rate')
      else jsonb_build_object('total', compliance.tied_amount((sold.entry ->> 'accounting_total')::numeric, sold.currency),
        'vat', compliance.tied_amount((sold.entry ->> 'accounting_vat')::numeric, sold.currency)) end;
    perform compliance.sale_in(sold, p_gone.currency, declared, null);
    select * into sold from compliance.filed_sales s where s.id = sold.id;
  end if;
  more := (p_gone.entry ->> 'accounting_total')::numeric - (sold.entry ->> 'accounting_total')::numeric;
  update compliance.filed_sales s set month = p_gone.month, order_number = p_gone.listed_number, entry = p_gone.entry - 'is_declared',
      recorded_at = case when is_other then clock_timestamp() else s.recorded_at end
    where s.id = sold.id;
  update compliance.deleted_orders d set sale_id = sold.id
    where d.shop_id = p_gone.shop_id and d.internal_key = p_gone.internal_key and d.document_number = p_gone.document_number
      and d.recorded_at >= p_gone.recorded_at and d.sale_id is null;
  if more > 0 then perform compliance.return_more(sold.id, more, p_today, p_first_open); end if;
  if more < 0 then perform compliance.return_less(sold.id, -more, p_today, p_first_open); end if;
  return sold.id;
end $$;

-- More of a sale was given back than its returns say: the last one says so, if no file reported it yet, or else one after it.
create or replace function compliance.return_more(p_sale uuid, p_more numeric, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  back compliance.returns;
  target date;
  recorded numeric;
begin
  select * into back from compliance.returns r where r.sale_id = p_sale order by r.month desc limit 1;
  target := compliance.month_for(back.shop_id, case when exists (
    select from compliance.audit_months m where m.shop_id = back.shop_id and m.month = back.month and m.cut_at >= back.recorded_at
  ) then (back.month + interval '1 month')::date else back.month end, p_today, p_first_open);
  if target = back.month then
    update compliance.returns r set base = r.base + p_more, base_by_rate = null, amount = r.amount + p_more, changed_at = clock_timestamp() where r.id = back.id;
    return;
  end if;
  select coalesce(max(o.accounting_total), 0) into recorded from compliance.orders o where o.sale_id = p_sale and back.amount is null;
  update compliance.returns r set amount = r.base - recorded where r.id = back.id and r.amount is null;
  insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, amount, changed_at)
    values (gen_random_uuid(), p_sale, back.shop_id, target, compliance.day_in(target, p_today, p_today), back.way, recorded + p_more,
      case when back.amount is not null then p_more end, clock_timestamp());
end $$;

-- Less of a sale is declared than was thought: its returns are less by that, the first ones first, but none that a filed file tells. If those leave less of
-- the sale than is recorded, the rest is given back whole, and what is recorded is a sale of its own. Up to five cents are rounding of leva and euro.
create or replace function compliance.return_less(p_sale uuid, p_less numeric, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  part compliance.orders;
  back compliance.returns;
  recorded numeric;
  rest numeric;
  less numeric := p_less;
  off numeric;
  is_reported boolean;
begin
  select * into part from compliance.orders o where o.sale_id = p_sale;
  recorded := coalesce(part.accounting_total, 0);
  for back in select r.* from compliance.returns r where r.sale_id = p_sale order by r.month loop
    is_reported := compliance.is_filed(back.shop_id, back.month);
    off := case when is_reported then 0 else least(coalesce(back.amount, back.base - recorded), less) end;
    update compliance.returns r set base_by_rate = case when less = 0 then r.base_by_rate end,
        base = case when r.amount is null then greatest(r.base - less, recorded) else r.base - less end,
        amount = case when r.amount is not null then r.amount - off when is_reported and less > 0.05 then r.base - recorded end,
        changed_at = case when off > 0 then clock_timestamp() else r.changed_at end
      where r.id = back.id;
    less := less - off;
  end loop;
  if part.id is null or less <= 0.05 then return; end if;
  rest := greatest(recorded - less, 0);
  if is_reported then
    back.month := compliance.month_for(back.shop_id, back.month, p_today, p_first_open);
    insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, amount, changed_at)
      values (gen_random_uuid(), p_sale, back.shop_id, back.month, compliance.day_in(back.month, p_today, p_today), 'OTHER', rest, rest, clock_timestamp());
  else
    update compliance.returns r set base = rest, amount = rest, way = 'OTHER', changed_at = clock_timestamp() where r.id = back.id;
  end if;
  perform compliance.sell_anew(part, p_today, p_first_open);
end $$;

-- A day that is in a month: the day itself, today, or the month's last day.
create or replace function compliance.day_in(p_month date, p_day date, p_today date) returns date language sql immutable
  return case when date_trunc('month', p_day) = p_month then p_day else least(p_today, (p_month + interval '1 month')::date - 1) end;

-- A return in the month of its day; the next one that is open, if that is closed already.
create or replace function compliance.add_return(p_sale uuid, p_shop uuid, p_day date, p_base numeric, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  target date := compliance.month_for(p_shop, date_trunc('month', p_day)::date, p_today, p_first_open);
begin
  insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, changed_at)
    select gen_random_uuid(), p_sale, p_shop, target, compliance.day_in(target, p_day, p_today), s.details ->> 'returnPaymentMethod', p_base, clock_timestamp()
    from compliance.shops s where s.id = p_shop
    on conflict (sale_id, month) do nothing;
end $$;

-- A return that the filed version of its month does not report is reported by the next file; with the last one of the same sale, if there are later ones.
create or replace function compliance.move_return(p_return compliance.returns, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  target date := compliance.month_for(p_return.shop_id, p_return.month, p_today, p_first_open);
begin
  if exists (select from compliance.returns r where r.sale_id = p_return.sale_id and r.month > p_return.month) then
    delete from compliance.returns r where r.id = p_return.id;
    perform compliance.return_more(p_return.sale_id, p_return.amount, p_today, p_first_open);
  else
    update compliance.returns r set month = target, returned_on = compliance.day_in(target, r.returned_on, p_today), changed_at = clock_timestamp(),
      recorded_at = clock_timestamp() where r.id = p_return.id;
  end if;
end $$;

-- What replaces a sale, or is the same, moved, is a part of it: what is less is the return. Its own file listed it in p_gone's currency.
create or replace function compliance.attach_to_sale(p_order compliance.orders, p_gone compliance.deleted_orders, p_sale uuid, p_today date, p_first_open date)
returns void language plpgsql as $$
declare
  sold compliance.filed_sales;
  back compliance.returns;
  declared numeric := p_order.accounting_total;
  vat numeric := p_order.accounting_vat;
begin
  perform compliance.keep_listed(p_order, p_order.created_at, p_sale);
  select * into sold from compliance.filed_sales s where s.id = p_sale;
  select * into back from compliance.returns r where r.sale_id = p_sale and r.amount is null order by r.month desc limit 1;
  if p_order.accounting_currency <> sold.currency then
    declared := compliance.tied_amount(declared, p_order.accounting_currency);
    vat := compliance.tied_amount(vat, p_order.accounting_currency);
    if p_order.edition = p_gone.edition then
      declared := (p_gone.entry ->> 'accounting_total')::numeric;
      vat := (p_gone.entry ->> 'accounting_vat')::numeric;
    end if;
  end if;
  if back.id is not null and declared <= back.base then
    update compliance.orders o set sale_id = p_sale, month = null, accounting_currency = sold.currency, accounting_total = declared, accounting_vat = vat,
        accounting_by_rate = case when o.accounting_currency = sold.currency then o.accounting_by_rate end
      where o.id = p_order.id;
    return;
  end if;
  -- It is more than what is left of the sale: that is given back whole, and what replaces it is a sale with a number of its own.
  update compliance.returns r set amount = r.base, way = 'OTHER' where r.id = back.id;
  perform compliance.sell_anew(p_order, p_today, p_first_open);
end $$;

-- An order is a sale with a number of its own, in its month or in the next open one.
create or replace function compliance.sell_anew(p_order compliance.orders, p_today date, p_first_open date) returns void language plpgsql as $$
declare
  number bigint;
begin
  perform jobs.same_database();
  update compliance.merchants m set next_number = m.next_number + 1 where m.id = p_order.merchant returning m.next_number - 1 into number;
  update compliance.orders o set sale_id = null, document_number = number, document_date = p_today, edition = 1, recorded_at = clock_timestamp(),
    listed_as = compliance.listed_as(o.shop_id, o.internal_number, number),
    month = compliance.month_for(p_order.shop_id, coalesce(p_order.month, date_trunc('month', p_today)::date), p_today, p_first_open)
    where o.id = p_order.id;
end $$;

-- Leva in euro, or euro in leva.
create or replace function compliance.tied_amount(p_amount numeric, p_currency text) returns numeric language sql immutable
  return round(case when p_currency = 'BGN' then p_amount / 1.95583 else p_amount * 1.95583 end, 2);
