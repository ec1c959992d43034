/**
 * Records a group of orders in one transaction. The counters of their merchants are locked first, in order of their ids, so numbers are given one
 * after the other, and a rolled back group leaves no gap. Answers one row per call, in order. p_calls: [{ apiKey, key, fingerprint, orderMonth,
 * accounting: { EUR?: { total, vat, exchange }, BGN?: … }, order: row of compliance.orders }].
 */
const createOrders = `
drop function compliance.create_order(uuid, text, bytea, timestamptz, jsonb);

create function compliance.create_orders(p_calls jsonb, p_keep_from timestamptz, p_today date, p_first_open date, p_currency text, p_euro_from date)
returns table (outcome text, order_id uuid, order_created_at timestamptz, document_number bigint) language plpgsql as $$
declare
  call jsonb;
  sent compliance.orders;
  merchants text[];
  numbers bigint[];
  shop record;
  at int;
  earlier record;
  accounts jsonb;
  api_key uuid;
  idempotency_key text;
begin
  perform from compliance.shops s where s.id in (select (c -> 'order' ->> 'shop_id')::uuid from jsonb_array_elements(p_calls) c) order by s.id for key share;
  insert into compliance.merchants (id, next_number)
    select left(s.details ->> 'companyUic', 9), (s.details ->> 'receiptStartNumber')::bigint
    from jsonb_array_elements(p_calls) with ordinality c(call, n) join compliance.shops s
      on s.id = (c.call -> 'order' ->> 'shop_id')::uuid and s.api_key_id = (c.call ->> 'apiKey')::uuid
    where not exists (select from compliance.merchants m where m.id = left(s.details ->> 'companyUic', 9))
    order by 1, c.n
    on conflict do nothing;
  select array_agg(locked.id), array_agg(locked.next_number) into merchants, numbers from (
    select m.id, m.next_number from compliance.merchants m where m.id in (
      select left(s.details ->> 'companyUic', 9) from jsonb_array_elements(p_calls) c join compliance.shops s on s.id = (c -> 'order' ->> 'shop_id')::uuid
    ) order by m.id for update) locked;

  for call in select c from jsonb_array_elements(p_calls) c loop
    api_key := (call ->> 'apiKey')::uuid;
    idempotency_key := call ->> 'key';
    sent := jsonb_populate_record(null::compliance.orders, call -> 'order');
    select left(s.details ->> 'companyUic', 9) as merchant into shop from compliance.shops s where s.id = sent.shop_id and s.api_key_id = api_key;
    if not found then
      return query select 'shop-unknown', null::uuid, null::timestamptz, null::bigint;
      continue;
    end if;

    if idempotency_key is not null then
      select k.fingerprint, k.order_id, k.created_at, k.document_number into earlier
        from compliance.idempotency_keys k where k.api_key_id = api_key and k.key = idempotency_key;
      if found then
        return query select case when earlier.fingerprint = decode(call ->> 'fingerprint', 'hex') then 'replayed' else 'key-reused' end,
          earlier.order_id, earlier.created_at, earlier.document_number;
        continue;
      end if;
    end if;

    select o.id, o.created_at, o.document_number into earlier from compliance.orders o where o.shop_id = sent.shop_id and o.internal_id = sent.internal_id;
    if found then
      return query select 'standing', earlier.id, earlier.created_at, earlier.document_number;
      continue;
    end if;

    at := array_position(merchants, shop.merchant);
    sent.merchant := shop.merchant;
    sent.recorded_at := clock_timestamp();
    sent.edition := 1;
    sent.sale_id := null;
    sent.month := compliance.month_for(sent.shop_id, (call ->> 'orderMonth')::date, p_today, p_first_open);
    sent.document_number := null;
    sent.document_date := p_today;
    accounts := call -> 'accounting';
    sent.accounting_currency := coalesce(p_currency, case when sent.month >= p_euro_from then 'EUR' else 'BGN' end);
    -- A replacement keeps the number of what it replaces; see replace_order.
    select * into sent from compliance.replace_order(sent, accounts, p_first_open);
    if sent.document_number is null then
      if numbers[at] > 9999999999 then
        return query select 'numbers-used-up', null::uuid, null::timestamptz, null::bigint;
        continue;
      end if;
      sent.document_number := numbers[at];
      numbers[at] := numbers[at] + 1;
    end if;
    sent.accounting_total := (accounts -> sent.accounting_currency ->> 'total')::numeric;
    sent.accounting_vat := (accounts -> sent.accounting_currency ->> 'vat')::numeric;
    sent.exchange := nullif(accounts -> sent.accounting_currency -> 'exchange', 'null'::jsonb);
    insert into compliance.orders select sent.*;
    if idempotency_key is not null then
      insert into compliance.idempotency_keys (api_key_id, key, fingerprint, order_id, created_at, document_number)
        values (api_key, idempotency_key, decode(call ->> 'fingerprint', 'hex'), sent.id, sent.created_at, sent.document_number);
    end if;
    return query select 'created', sent.id, sent.created_at, sent.document_number;
  end loop;

  update compliance.merchants m set next_number = given.next from unnest(merchants, numbers) given(id, next) where m.id = given.id and m.next_number <> given.next;
  delete from compliance.idempotency_keys k using (
    select i.api_key_id, i.key from compliance.idempotency_keys i where i.created_at < p_keep_from order by i.created_at
      limit 2 * jsonb_array_length(p_calls) for update skip locked
  ) stale where k.api_key_id = stale.api_key_id and k.key = stale.key;
end $$;
`;

/** The month whose file lists an order: that of its date, never one to come, and the earliest open one if that is closed. */
const monthFor = `
create function compliance.month_for(p_shop uuid, p_order_month date, p_today date, p_first_open date) returns date language plpgsql stable as $$
declare
  target date := greatest(least(p_order_month, date_trunc('month', p_today)::date), p_first_open);
begin
  while target < date_trunc('month', p_today)::date and compliance.is_closed(p_shop, target, p_first_open) loop
    target := target + interval '1 month';
  end loop;
  return target;
end $$;
`;

/**
 * If the order replaces a deleted one: keeps its number and date, counts the edition, and decides where it belongs. A sale that a closed month lists
 * stays there, and what is less now is the return; if it grew, the old sale is returned whole, set off, and the new one is a sale of its own.
 */
const replaceOrder = `
create function compliance.replace_order(inout sent compliance.orders, in p_accounts jsonb, in p_first_open date) language plpgsql as $$
declare
  gone compliance.deleted_orders;
  back record;
begin
  select * into gone from compliance.deleted_orders d
    where d.shop_id = sent.shop_id and d.internal_key = compliance.internal_key(sent.shop_id, sent.internal_id) and d.replaced_by is null
    order by d.recorded_at desc limit 1;
  if not found or gone.document_number is null then return; end if;
  update compliance.deleted_orders d set replaced_by = sent.id where d.id = gone.id;

  if gone.sale_id is null then
    if not compliance.is_closed(sent.shop_id, gone.month, p_first_open) then
      sent.month := gone.month;
      sent.accounting_currency := gone.currency;
    end if;
    sent.document_number := gone.document_number;
    sent.document_date := gone.document_date;
    sent.edition := gone.edition + 1;
    sent.merchant := gone.merchant;
    delete from compliance.voided_numbers v where v.merchant = gone.merchant and v.number = gone.document_number;
    return;
  end if;

  select r.id, r.base, r.month, s.currency, s.document_number, s.document_date into back
    from compliance.returns r join compliance.filed_sales s on s.id = r.sale_id where r.sale_id = gone.sale_id order by r.month desc limit 1;
  if not compliance.is_closed(sent.shop_id, back.month, p_first_open) and coalesce((p_accounts -> back.currency ->> 'total')::numeric, 0) <= back.base then
    update compliance.returns r set changed_at = sent.recorded_at where r.id = back.id;
    sent.document_number := back.document_number;
    sent.document_date := back.document_date;
    sent.edition := gone.edition + 1;
    sent.merchant := gone.merchant;
    sent.sale_id := gone.sale_id;
    sent.month := null;
    sent.accounting_currency := back.currency;
  else
    -- Given back by setting it off against the new sale, if that month can still say so.
    update compliance.returns r set amount = r.base, changed_at = sent.recorded_at,
      way = case when compliance.is_closed(sent.shop_id, back.month, p_first_open) then r.way else 'OTHER' end
      where r.id = back.id;
  end if;
end $$;
`;

/** Deletes an order and keeps what the law still asks for: its number, and the money given back if a closed month lists it. */
const deleteOrder = `
create function compliance.delete_order(p_id uuid, p_api_key uuid, p_now timestamptz, p_today date, p_first_open date) returns boolean language plpgsql as $$
declare
  shop compliance.shops;
  gone compliance.orders;
  sale uuid;
  last_return compliance.returns;
  this_month date := date_trunc('month', p_today)::date;
  affected date;
begin
  -- The shop before the order, as everybody locks them.
  perform from compliance.shops s where s.id = (select o.shop_id from compliance.orders o where o.id = p_id) and s.api_key_id = p_api_key for key share;
  if not found then return false; end if;
  delete from compliance.orders o where o.id = p_id returning * into gone;
  if not found then return false; end if;
  select * into shop from compliance.shops s where s.id = gone.shop_id;

  affected := gone.month;
  sale := gone.sale_id;
  -- An order whose rate is missing was never in a file: that month's is blocked until the rate is known.
  if sale is null and gone.accounting_total is not null and compliance.is_closed(gone.shop_id, gone.month, p_first_open) then
    sale := gen_random_uuid();
    insert into compliance.filed_sales (id, shop_id, order_number, document_number, document_date, month, currency, entry)
      values (sale, gone.shop_id, gone.internal_number, gone.document_number, gone.document_date, gone.month, gone.accounting_currency,
        to_jsonb(gone) - 'customer');
  end if;

  if sale is null then
    insert into compliance.voided_numbers (merchant, number, shop_id, voided_at) values (gone.merchant, gone.document_number, gone.shop_id, p_now);
  else
    affected := this_month;
    select * into last_return from compliance.returns r where r.sale_id = sale order by r.month desc limit 1;
    if found and last_return.month = this_month and last_return.amount is null then
      update compliance.returns r set returned_on = p_today, changed_at = clock_timestamp() where r.id = last_return.id;
    else
      update compliance.returns r set amount = r.base - gone.accounting_total where r.id = last_return.id and r.amount is null;
      insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, changed_at)
        values (gen_random_uuid(), sale, gone.shop_id, this_month, p_today, shop.details ->> 'returnPaymentMethod', gone.accounting_total, clock_timestamp());
    end if;
  end if;

  insert into compliance.deleted_orders
    (id, shop_id, created_at, deleted_at, internal_key, merchant, document_number, document_date, edition, month, currency, sale_id, affects)
    values (gone.id, gone.shop_id, gone.created_at, p_now, compliance.internal_key(gone.shop_id, gone.internal_id), gone.merchant, gone.document_number,
      gone.document_date, gone.edition, gone.month, gone.accounting_currency, sale, affected);
  return true;
end $$;
`;

/** The numbers of a shop that is deleted with its orders stay on record. */
const voidNumbersOfShop = `
create function compliance.void_numbers_of_shop() returns trigger language plpgsql as $$
begin
  insert into compliance.voided_numbers (merchant, number, shop_id, voided_at)
    select o.merchant, o.document_number, o.shop_id, now() from compliance.orders o where o.shop_id = old.id on conflict do nothing;
  return old;
end $$;
create trigger void_numbers before delete on compliance.shops for each row execute function compliance.void_numbers_of_shop();
`;

export const orderFunctions = [monthFor, replaceOrder, createOrders, deleteOrder, voidNumbersOfShop].join('\n');
