-- Those of a group that need no second look, all at once: a known shop of the owner's own company, a new key, no deleted order to replace, nothing twice in the group, numbers
-- left. Raises OB001 if one of them is recorded already: the unique indexes say so, because of a young table the planner knows too little to look it up.
-- `offset 0` keeps the look for a deleted order from becoming a join that reads all of them.
create or replace function compliance.create_plain_orders(p_calls jsonb, p_today date, p_first_open date, p_currency text, p_euro_from date)
returns compliance.creation[] language plpgsql as $$
declare
  done compliance.creation[];
  created int;
  keyed int;
  keys int;
begin
  with calls as materialized (
    select c.ordinality::int as place, c."apiKey" as api_key, c.key, c.fingerprint, c."orderMonth" as order_month, c.accounting, c."order" as sent,
      (c."order").shop_id, s.merchant as merchant,
      row_number() over (partition by (c."order").shop_id, (c."order").internal_id order by c.ordinality) as nth_order,
      row_number() over (partition by (c."order").shop_id, (c."order").internal_number order by c.ordinality) as nth_number,
      row_number() over (partition by c."apiKey", c.key order by c.ordinality) as nth_key
    from rows from (
      jsonb_to_recordset(p_calls)
        as ("apiKey" uuid, key text, fingerprint text, "orderMonth" date, accounting jsonb, "order" compliance.orders)
    ) with ordinality c join compliance.shops s on s.id = (c."order").shop_id and s.api_key_id = c."apiKey"
  ), months as materialized (
    select m.shop_id, m.order_month, compliance.month_for(m.shop_id, m.order_month, p_today, p_first_open) as month
    from (select distinct c.shop_id, c.order_month from calls c) m
  ), plain as materialized (
    select c.*, m.month, coalesce(p_currency, case when m.month >= p_euro_from then 'EUR' else 'BGN' end) as currency,
      counter.next_number - 1 + row_number() over (partition by c.merchant order by c.place) as number
    from calls c join months m on m.shop_id = c.shop_id and m.order_month = c.order_month join compliance.merchants counter on counter.id = c.merchant
    where c.nth_order = 1 and (c.key is null or c.nth_key = 1) and counter.next_number + jsonb_array_length(p_calls) <= 10000000000
      and not compliance.is_claimed(c.merchant, c.api_key)
      and not exists (select from compliance.idempotency_keys k where k.api_key_id = c.api_key and k.key = c.key)
      and not exists (select from compliance.deleted_orders d
        where d.shop_id = c.shop_id and d.internal_key = compliance.internal_key(c.shop_id, (c.sent).internal_id) and d.replaced_by is null offset 0)
  ), new_orders as (
    insert into compliance.orders (id, shop_id, internal_id, internal_number, internal_created_at, line_items, payment_type, payment_processor_name,
      transaction_id, precision, currency, customer, total, net_total, total_vat, total_discount, created_at, merchant, document_number, document_date,
      edition, month, accounting_currency, accounting_total, accounting_vat, accounting_by_rate, exchange,
      recorded_at, listed_as)
    select (p.sent).id, p.shop_id, (p.sent).internal_id, (p.sent).internal_number, (p.sent).internal_created_at, (p.sent).line_items,
      (p.sent).payment_type, (p.sent).payment_processor_name, (p.sent).transaction_id, (p.sent).precision, (p.sent).currency, (p.sent).customer,
      (p.sent).total, (p.sent).net_total, (p.sent).total_vat, (p.sent).total_discount, (p.sent).created_at, p.merchant, p.number, p_today,
      1, p.month, p.currency, (p.accounting -> p.currency ->> 'total')::numeric, (p.accounting -> p.currency ->> 'vat')::numeric,
      p.accounting -> p.currency -> 'byRate', nullif(p.accounting -> p.currency -> 'exchange', 'null'::jsonb), clock_timestamp(),
      case when p.nth_number = 1 then compliance.listed_as(p.shop_id, (p.sent).internal_number, p.number)
        else (p.sent).internal_number || ' / ' || lpad(p.number::text, 10, '0') end
    from plain p order by p.place on conflict (shop_id, internal_id) do nothing returning 1
  ), new_keys as (
    insert into compliance.idempotency_keys (api_key_id, key, fingerprint, order_id, created_at, document_number)
    select p.api_key, p.key, decode(p.fingerprint, 'hex'), (p.sent).id, (p.sent).created_at, p.number from plain p where p.key is not null
    on conflict (api_key_id, key) do nothing returning 1
  ), counted as (
    update compliance.merchants m set next_number = given.next
    from (select p.merchant, max(p.number) + 1 as next from plain p group by p.merchant) given where m.id = given.merchant
  )
  select coalesce(array_agg((p.place, 'created', (p.sent).id, (p.sent).created_at, p.number)::compliance.creation order by p.place), '{}'), count(p.key),
      (select count(*) from new_orders), (select count(*) from new_keys)
    into done, keys, created, keyed from plain p;
  if created < cardinality(done) or keyed < keys then raise exception 'an order or a key of the group exists' using errcode = 'OB001'; end if;
  return done;
end $$;
