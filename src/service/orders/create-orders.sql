-- Records a group of orders in one transaction. The counters of their merchants are locked first, in order of their ids, so numbers are given one after
-- the other, and a group that is rolled back leaves no gap. Answers one row per call, in order. p_calls: [{ apiKey, key, fingerprint, orderMonth,
-- accounting: { EUR?: { total, vat, exchange }, BGN?: … }, receipt: { id, mail } | null, order: row of compliance.orders }].
create or replace function compliance.create_orders(p_calls jsonb, p_keep_from timestamptz, p_today date, p_first_open date, p_currency text, p_euro_from date)
returns table (outcome text, order_id uuid, order_created_at timestamptz, document_number bigint) language plpgsql set enable_seqscan = off as $$
declare
  done compliance.creation[] := '{}';
  one record;
begin
  perform jobs.same_database();
  perform from compliance.shops s where s.id in (select (c -> 'order' ->> 'shop_id')::uuid from jsonb_array_elements(p_calls) c) order by s.id for key share;
  insert into compliance.merchants (id, next_number)
    select s.merchant, (s.details ->> 'receiptStartNumber')::bigint
    from jsonb_array_elements(p_calls) with ordinality c(call, n) join compliance.shops s
      on s.id = (c.call -> 'order' ->> 'shop_id')::uuid and s.api_key_id = (c.call ->> 'apiKey')::uuid
    where not exists (select from compliance.merchants m where m.id = s.merchant) and not compliance.is_claimed(s.merchant, s.api_key_id)
    order by 1, c.n
    on conflict do nothing;
  perform from compliance.merchants m where m.id in (
    select s.merchant from jsonb_array_elements(p_calls) c join compliance.shops s on s.id = (c -> 'order' ->> 'shop_id')::uuid
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
  perform compliance.issue_automatic_receipts(p_calls, done);
  delete from compliance.idempotency_keys k using (
    select i.api_key_id, i.key from compliance.idempotency_keys i where i.created_at < p_keep_from order by i.created_at
      limit 2 * jsonb_array_length(p_calls) for update skip locked
  ) stale where k.api_key_id = stale.api_key_id and k.key = stale.key;
  return query select d.outcome, d.order_id, d.order_created_at, d.document_number from unnest(done) d order by d.place;
end $$;
