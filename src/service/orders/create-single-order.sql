-- One order that may repeat, replace or meet another.
create or replace function compliance.create_single_order(call jsonb, p_place int, p_today date, p_first_open date, p_currency text, p_euro_from date)
returns compliance.creation language plpgsql as $$
declare
  sent compliance.orders := jsonb_populate_record(null::compliance.orders, call -> 'order');
  accounts jsonb := call -> 'accounting';
  api_key uuid := (call ->> 'apiKey')::uuid;
  idempotency_key text := call ->> 'key';
  earlier record;
begin
  select s.merchant into sent.merchant from compliance.shops s where s.id = sent.shop_id and s.api_key_id = api_key;
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
  if found then return (p_place, 'existing', earlier.id, earlier.created_at, earlier.document_number)::compliance.creation; end if;

  -- A company that was moved to another owner: what is recorded can be corrected, but takes no place in its sequence for anything new.
  if compliance.is_claimed(sent.merchant, api_key) and not exists (
    select from compliance.deleted_orders d where d.shop_id = sent.shop_id and d.internal_key = compliance.internal_key(sent.shop_id, sent.internal_id)
      and d.replaced_by is null) then
    return (p_place, 'company-claimed', null, null, null)::compliance.creation;
  end if;

  sent.recorded_at := clock_timestamp();
  sent.edition := 1;
  sent.sale_id := null;
  sent.month := compliance.month_for(sent.shop_id, (call ->> 'orderMonth')::date, p_today, p_first_open);
  sent.document_number := null;
  sent.document_date := p_today;
  -- A replacement keeps the number of what it replaces, and is in its month; see replace_order.
  select * into sent from compliance.replace_order(sent, accounts, p_today, p_first_open);
  sent.accounting_currency := coalesce(sent.accounting_currency, p_currency, case when sent.month >= p_euro_from then 'EUR' else 'BGN' end);
  if sent.document_number is null then
    update compliance.merchants m set next_number = m.next_number + 1 where m.id = sent.merchant and m.next_number <= 9999999999
      returning m.next_number - 1 into sent.document_number;
    if not found then raise exception 'no document number is left' using errcode = 'OB002'; end if;
  end if;
  sent.listed_as := compliance.listed_as(sent.shop_id, sent.internal_number, sent.document_number);
  sent.accounting_total := (accounts -> sent.accounting_currency ->> 'total')::numeric;
  sent.accounting_vat := (accounts -> sent.accounting_currency ->> 'vat')::numeric;
  sent.accounting_by_rate := accounts -> sent.accounting_currency -> 'byRate';
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
