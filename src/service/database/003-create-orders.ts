/** How one call of a group ended. */
const creation = `
create type compliance.creation as (place int, outcome text, order_id uuid, order_created_at timestamptz, document_number bigint);
`;

/**
 * Records a group of orders in one transaction. The counters of their merchants are locked first, in order of their ids, so numbers are given one
 * after the other, and a rolled back group leaves no gap. Answers one row per call, in order. p_calls: [{ apiKey, key, fingerprint, orderMonth,
 * accounting: { EUR?: { total, vat, exchange }, BGN?: … }, order: row of compliance.orders }].
 */
const createOrders = `
drop function compliance.create_order(uuid, text, bytea, timestamptz, jsonb);

create function compliance.create_orders(p_calls jsonb, p_keep_from timestamptz, p_today date, p_first_open date, p_currency text, p_euro_from date)
returns table (outcome text, order_id uuid, order_created_at timestamptz, document_number bigint) language plpgsql set enable_seqscan = off as $$
declare
  done compliance.creation[] := '{}';
  one record;
begin
  perform from compliance.shops s where s.id in (select (c -> 'order' ->> 'shop_id')::uuid from jsonb_array_elements(p_calls) c) order by s.id for key share;
  insert into compliance.merchants (id, next_number)
    select left(s.details ->> 'companyUic', 9), (s.details ->> 'receiptStartNumber')::bigint
    from jsonb_array_elements(p_calls) with ordinality c(call, n) join compliance.shops s
      on s.id = (c.call -> 'order' ->> 'shop_id')::uuid and s.api_key_id = (c.call ->> 'apiKey')::uuid
    where not exists (select from compliance.merchants m where m.id = left(s.details ->> 'companyUic', 9))
    order by 1, c.n
    on conflict do nothing;
  perform from compliance.merchants m where m.id in (
    select left(s.details ->> 'companyUic', 9) from jsonb_array_elements(p_calls) c join compliance.shops s on s.id = (c -> 'order' ->> 'shop_id')::uuid
  ) order by m.id for update;

  begin
    done := compliance.create_plain_orders(p_calls, p_today, p_first_open, p_currency, p_euro_from);
  exception when sqlstate 'OB001' then
    -- One of them was not as plain as it looked: all are looked at one by one.
    done := '{}';
  end;
  for one in
    select c.call, c.place::int as place from jsonb_array_elements(p_calls) with ordinality c(call, place)
    where not exists (select from unnest(done) d where d.place = c.place) order by c.place
  loop
    done := done || compliance.create_single_order(one.call, one.place, p_today, p_first_open, p_currency, p_euro_from);
  end loop;
  delete from compliance.idempotency_keys k using (
    select i.api_key_id, i.key from compliance.idempotency_keys i where i.created_at < p_keep_from order by i.created_at
      limit 2 * jsonb_array_length(p_calls) for update skip locked
  ) stale where k.api_key_id = stale.api_key_id and k.key = stale.key;
  return query select d.outcome, d.order_id, d.order_created_at, d.document_number from unnest(done) d order by d.place;
end $$;
`;

/**
 * Those of a group that need no second look, all at once: a known shop, a new key, no deleted order to replace, nothing twice in the group,
 * numbers left. Raises OB001 if one of them stands already: that is left to the unique indexes, for of a young table the planner knows too little to
 * look it up.
 */
const createPlainOrders = `
create function compliance.create_plain_orders(p_calls jsonb, p_today date, p_first_open date, p_currency text, p_euro_from date)
returns compliance.creation[] language plpgsql as $$
declare
  done compliance.creation[];
  created int;
  keyed int;
  keys int;
begin
  with calls as materialized (
    select c.ordinality::int as place, c."apiKey" as api_key, c.key, c.fingerprint, c."orderMonth" as order_month, c.accounting, c."order" as sent,
      (c."order").shop_id, left(s.details ->> 'companyUic', 9) as merchant,
      row_number() over (partition by (c."order").shop_id, (c."order").internal_id order by c.ordinality) as nth_order,
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
      and not exists (select from compliance.idempotency_keys k where k.api_key_id = c.api_key and k.key = c.key)
      and not exists (select from compliance.deleted_orders d
        where d.shop_id = c.shop_id and d.internal_key = compliance.internal_key(c.shop_id, (c.sent).internal_id) and d.replaced_by is null)
  ), new_orders as (
    insert into compliance.orders (id, shop_id, internal_id, internal_number, internal_created_at, line_items, payment_type, payment_processor_name,
      transaction_id, precision, currency, customer, total, net_total, total_vat, total_discount, created_at, merchant, document_number, document_date,
      edition, month, accounting_currency, accounting_total, accounting_vat, exchange, recorded_at)
    select (p.sent).id, p.shop_id, (p.sent).internal_id, (p.sent).internal_number, (p.sent).internal_created_at, (p.sent).line_items,
      (p.sent).payment_type, (p.sent).payment_processor_name, (p.sent).transaction_id, (p.sent).precision, (p.sent).currency, (p.sent).customer,
      (p.sent).total, (p.sent).net_total, (p.sent).total_vat, (p.sent).total_discount, (p.sent).created_at, p.merchant, p.number, p_today,
      1, p.month, p.currency, (p.accounting -> p.currency ->> 'total')::numeric, (p.accounting -> p.currency ->> 'vat')::numeric,
      nullif(p.accounting -> p.currency -> 'exchange', 'null'::jsonb), clock_timestamp()
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
  if created < cardinality(done) or keyed < keys then raise exception 'an order or a key of the group stands' using errcode = 'OB001'; end if;
  return done;
end $$;
`;

/** One order that may repeat, replace or meet another. */
const createSingleOrder = `
create function compliance.create_single_order(call jsonb, p_place int, p_today date, p_first_open date, p_currency text, p_euro_from date)
returns compliance.creation language plpgsql as $$
declare
  sent compliance.orders := jsonb_populate_record(null::compliance.orders, call -> 'order');
  accounts jsonb := call -> 'accounting';
  api_key uuid := (call ->> 'apiKey')::uuid;
  idempotency_key text := call ->> 'key';
  earlier record;
begin
  select left(s.details ->> 'companyUic', 9) into sent.merchant from compliance.shops s where s.id = sent.shop_id and s.api_key_id = api_key;
  if not found then return (p_place, 'shop-unknown', null, null, null)::compliance.creation; end if;

  if idempotency_key is not null then
    select k.fingerprint, k.order_id, k.created_at, k.document_number into earlier
      from compliance.idempotency_keys k where k.api_key_id = api_key and k.key = idempotency_key;
    if found then
      return (p_place, case when earlier.fingerprint = decode(call ->> 'fingerprint', 'hex') then 'replayed' else 'key-reused' end,
        earlier.order_id, earlier.created_at, earlier.document_number)::compliance.creation;
    end if;
  end if;

  select o.id, o.created_at, o.document_number into earlier from compliance.orders o where o.shop_id = sent.shop_id and o.internal_id = sent.internal_id;
  if found then return (p_place, 'standing', earlier.id, earlier.created_at, earlier.document_number)::compliance.creation; end if;

  sent.recorded_at := clock_timestamp();
  sent.edition := 1;
  sent.sale_id := null;
  sent.month := compliance.month_for(sent.shop_id, (call ->> 'orderMonth')::date, p_today, p_first_open);
  sent.document_number := null;
  sent.document_date := p_today;
  sent.accounting_currency := coalesce(p_currency, case when sent.month >= p_euro_from then 'EUR' else 'BGN' end);
  -- A replacement keeps the number of what it replaces; see replace_order.
  select * into sent from compliance.replace_order(sent, accounts, p_first_open);
  if sent.document_number is null then
    update compliance.merchants m set next_number = m.next_number + 1 where m.id = sent.merchant and m.next_number <= 9999999999
      returning m.next_number - 1 into sent.document_number;
    if not found then raise exception 'no document number is left' using errcode = 'OB002'; end if;
  end if;
  sent.accounting_total := (accounts -> sent.accounting_currency ->> 'total')::numeric;
  sent.accounting_vat := (accounts -> sent.accounting_currency ->> 'vat')::numeric;
  sent.exchange := nullif(accounts -> sent.accounting_currency -> 'exchange', 'null'::jsonb);
  insert into compliance.orders select sent.*;
  if idempotency_key is not null then
    insert into compliance.idempotency_keys (api_key_id, key, fingerprint, order_id, created_at, document_number)
      values (api_key, idempotency_key, decode(call ->> 'fingerprint', 'hex'), sent.id, sent.created_at, sent.document_number);
  end if;
  return (p_place, 'created', sent.id, sent.created_at, sent.document_number)::compliance.creation;
exception when sqlstate 'OB002' then
  return (p_place, 'numbers-used-up', null, null, null)::compliance.creation;
end $$;
`;

export const createFunctions = [creation, createPlainOrders, createSingleOrder, createOrders].join('\n');
