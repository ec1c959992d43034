-- Says when an order was delivered, which decides its month while that is open. p_month: the month of the delivery. Answers false if the key has no such
-- order.
create or replace function compliance.deliver_order(p_id uuid, p_api_key uuid, p_at text, p_on date, p_order_month date, p_accounts jsonb, p_now timestamptz,
  p_today date, p_first_open date, p_currency text, p_euro_from date)
returns boolean language plpgsql as $$
declare
  delivered compliance.orders;
  target date;
  target_currency text;
begin
  perform from compliance.shops s where s.id = (select o.shop_id from compliance.orders o where o.id = p_id) and s.api_key_id = p_api_key for key share;
  if not found then return false; end if;
  select * into delivered from compliance.orders o where o.id = p_id for update;
  if not found then return false; end if;
  if delivered.delivered_at = p_at then return true; end if;
  update compliance.orders o set delivered_at = p_at, delivered_on = p_on where o.id = p_id;

  if delivered.month is null or compliance.is_closed(delivered.shop_id, delivered.month, p_first_open) then return true; end if;
  target := compliance.month_for(delivered.shop_id, greatest(p_order_month, date_trunc('month', p_on)::date), p_today, p_first_open);
  if target = delivered.month then return true; end if;

  perform compliance.keep_listed(delivered, p_now);
  target_currency := coalesce(p_currency, case when target >= p_euro_from then 'EUR' else 'BGN' end);
  update compliance.orders o set month = target, recorded_at = clock_timestamp() where o.id = p_id;
  if target_currency <> delivered.accounting_currency then
    update compliance.orders o set accounting_currency = target_currency, accounting_total = (p_accounts -> target_currency ->> 'total')::numeric,
      accounting_by_rate = p_accounts -> target_currency -> 'byRate', accounting_vat = (p_accounts -> target_currency ->> 'vat')::numeric, exchange = nullif(p_accounts -> target_currency -> 'exchange', 'null'::jsonb)
      where o.id = p_id;
  end if;
  return true;
end $$;
