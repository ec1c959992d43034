-- If the order replaces a deleted one: keeps its number and date, counts the edition, and decides where it belongs. A sale that a closed month lists
-- stays there, and what is less now is the return; if it grew, the old sale is returned whole, set off, and the new one is a sale of its own. So is one
-- that would be more than a file, made and not yet filed, says under that number: a number that was answered never changes, whichever version is filed.
create or replace function compliance.replace_order(inout sent compliance.orders, in p_accounts jsonb, in p_today date, in p_first_open date)
language plpgsql as $$
declare
  gone compliance.deleted_orders;
  back record;
  is_open boolean;
begin
  select * into gone from compliance.deleted_orders d
    where d.shop_id = sent.shop_id and d.internal_key = compliance.internal_key(sent.shop_id, sent.internal_id) and d.replaced_by is null
    order by d.recorded_at desc limit 1;
  if not found then return; end if;
  update compliance.deleted_orders d set replaced_by = sent.id where d.id = gone.id;
  sent.delivered_at := gone.delivered_at;
  sent.delivered_on := gone.delivered_on;

  if gone.sale_id is null then
    is_open := not compliance.is_closed(sent.shop_id, gone.month, p_first_open);
    if is_open then
      sent.month := gone.month;
      sent.accounting_currency := gone.currency;
      update compliance.returns r set way = 'OTHER', returned_on = compliance.day_in(r.month, s.given_back, p_today), changed_at = sent.recorded_at
        from compliance.set_off_by(gone.id) s where s.sale_id = r.sale_id and r.month = gone.month and r.amount = r.base;
    elsif gone.delivered_on is not null then
      sent.month := compliance.month_for(sent.shop_id, greatest(sent.month, date_trunc('month', gone.delivered_on)::date), p_today, p_first_open);
    end if;
    if compliance.fits_files(gone, p_accounts, is_open) then
      sent.document_number := gone.document_number;
      sent.document_date := gone.document_date;
      sent.edition := gone.edition + 1;
      sent.merchant := gone.merchant;
      delete from compliance.voided_numbers v where v.merchant = gone.merchant and v.number = gone.document_number;
    end if;
    return;
  end if;

  select r.id, r.base, r.month, s.currency, s.document_number, s.document_date into back
    from compliance.returns r join compliance.filed_sales s on s.id = r.sale_id where r.sale_id = gone.sale_id order by r.month desc limit 1;
  is_open := not compliance.is_closed(sent.shop_id, back.month, p_first_open);
  -- Without a rate nobody knows whether it is less: then it is a sale of its own, too. So it is if a file has reported the whole return meanwhile, and if another
  -- version of the sale's month lists less: that one may be filed after a rejection.
  if is_open and (p_accounts -> back.currency ->> 'total')::numeric <= back.base and compliance.fits_files(gone, p_accounts, true)
    and not exists (select from compliance.audit_months m where m.shop_id = sent.shop_id and m.month = back.month and m.cut_at > gone.recorded_at) then
    update compliance.returns r set changed_at = sent.recorded_at where r.id = back.id;
    sent.document_number := back.document_number;
    sent.document_date := back.document_date;
    sent.edition := gone.edition + 1;
    sent.merchant := gone.merchant;
    sent.sale_id := gone.sale_id;
    sent.month := null;
    sent.accounting_currency := back.currency;
  elsif is_open then
    -- Given back by setting it off against the new sale, in the same file.
    update compliance.returns r set amount = r.base, way = 'OTHER', changed_at = sent.recorded_at where r.id = back.id;
    sent.month := greatest(sent.month, back.month);
  else
    update compliance.returns r set amount = r.base where r.id = back.id;
  end if;
end $$;

-- The sales of closed months that an order, or one that it replaced, was set off against, and when.
create or replace function compliance.set_off_by(p_order uuid) returns table (sale_id uuid, given_back date) language sql stable as $$
  with recursive gone as (
    select d.id, d.sale_id, d.deleted_at from compliance.deleted_orders d where d.replaced_by = p_order
    union select d.id, d.sale_id, d.deleted_at from compliance.deleted_orders d join gone g on d.replaced_by = g.id
  ) select g.sale_id, (max(g.deleted_at) at time zone 'Europe/Sofia')::date from gone g where g.sale_id is not null group by 1
$$;

-- Can a replacement keep the number of a deleted order? Yes if no file lists that number; or if the month is open, and every file that lists it says
-- as much or more: then it is that sale less a return, whichever is filed.
create or replace function compliance.fits_files(gone compliance.deleted_orders, p_accounts jsonb, p_is_open boolean) returns boolean language sql stable
  return not exists (
    select from compliance.deleted_orders d
    where d.shop_id = gone.shop_id and d.internal_key = gone.internal_key and d.merchant = gone.merchant and d.document_number = gone.document_number
      and d.entry is not null
      and not coalesce(p_is_open and (p_accounts -> d.currency ->> 'total')::numeric <= (d.entry ->> 'accounting_total')::numeric, false)
  );
