-- What looks wrong with a recorded order and is not in it: the number of another order of its shop that the same payment paid, and that its currency is
-- in no sheet of the bank. Volatile: it sees what the statement that calls it has just recorded, and what others committed while that one waited.
create or replace function compliance.order_doubts(p_id uuid, out twin text, out has_no_rates boolean) language sql volatile as $$
  select
    case when o.payment_type in ('PAYMENT_PROCESSOR', 'VIRTUAL_POS') then (
      select t.internal_number from compliance.orders t
      where t.shop_id = o.shop_id and t.transaction_id = o.transaction_id and t.payment_type in ('PAYMENT_PROCESSOR', 'VIRTUAL_POS') and t.id <> o.id limit 1) end,
    o.accounting_total is null and exists (select from compliance.rate_sheets)
      and not exists (select from compliance.exchange_rates r where r.currency = o.currency)
  from compliance.orders o where o.id = p_id
$$;
