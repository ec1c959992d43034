-- The month whose file lists an order: that of its date, and the earliest open one if that is closed. A caller's clock may be ahead of ours by a moment,
-- so an order of tomorrow is of tomorrow's month.
create or replace function compliance.month_for(p_shop uuid, p_order_month date, p_today date, p_first_open date) returns date language plpgsql stable as $$
declare
  target date := greatest(least(p_order_month, date_trunc('month', p_today + 1)::date), p_first_open);
begin
  while target < date_trunc('month', p_today)::date and compliance.is_closed(p_shop, target, p_first_open) loop
    target := target + interval '1 month';
  end loop;
  return target;
end $$;
