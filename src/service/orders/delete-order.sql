-- Deletes an order and keeps what the law still asks for: its number, and the money given back if a closed month lists it. No table is read whole: the
-- merchant's counter is locked meanwhile. p_sealed: the buyer's address, for a storno notice; see withdraw_receipt.
create or replace function compliance.delete_order(p_id uuid, p_api_key uuid, p_now timestamptz, p_today date, p_first_open date, p_without_receipt text[],
  p_sealed text default null) returns boolean language plpgsql set enable_seqscan = off as $$
declare
  shop compliance.shops;
  gone compliance.orders;
  sale uuid;
  last_return compliance.returns;
  this_month date := date_trunc('month', p_today)::date;
  affected date;
  is_listed boolean;
begin
  perform jobs.same_database();
  -- The shop before the order, as everybody locks them.
  perform from compliance.shops s where s.id = (select o.shop_id from compliance.orders o where o.id = p_id) and s.api_key_id = p_api_key for key share;
  if not found then return false; end if;
  -- Anyone who creates holds this too: what is created next sees the deletion that it replaces.
  perform from compliance.merchants m where m.id = (
    select s.merchant from compliance.shops s join compliance.orders o on o.shop_id = s.id where o.id = p_id) for update;
  perform compliance.withdraw_receipt(p_id, p_now, p_sealed);
  delete from compliance.orders o where o.id = p_id returning * into gone;
  if not found then return false; end if;
  select * into shop from compliance.shops s where s.id = gone.shop_id;

  affected := gone.month;
  sale := gone.sale_id;
  -- An order whose rate is missing was never in a file: that month's is blocked until the rate is known. One that the month leaves out is in none.
  if sale is null and gone.accounting_total is not null and compliance.is_closed(gone.shop_id, gone.month, p_first_open)
    and gone.payment_type <> all (compliance.left_out(gone.shop_id, gone.month, p_first_open, p_without_receipt)) then
    sale := gen_random_uuid();
    insert into compliance.filed_sales (id, shop_id, merchant, order_number, document_number, document_date, month, currency, entry)
      values (sale, gone.shop_id, gone.merchant, coalesce(gone.listed_as, gone.internal_number), gone.document_number, gone.document_date, gone.month,
        gone.accounting_currency, to_jsonb(gone) - 'customer');
  end if;

  if sale is null then
    insert into compliance.voided_numbers (merchant, number, shop_id, voided_at) values (gone.merchant, gone.document_number, gone.shop_id, p_now);
    -- A sale that an old one was set off against is taken back: now the money went back indeed.
    update compliance.returns r set way = shop.details ->> 'returnPaymentMethod', returned_on = p_today, changed_at = clock_timestamp()
      from compliance.set_off_by(gone.id) s where s.sale_id = r.sale_id and r.month = this_month and r.amount = r.base and r.way = 'OTHER';
  else
    affected := this_month;
    select * into last_return from compliance.returns r where r.sale_id = sale order by r.month desc limit 1;
    if found and last_return.month = this_month and last_return.amount is null then
      update compliance.returns r set returned_on = p_today, changed_at = clock_timestamp() where r.id = last_return.id;
    else
      update compliance.returns r set amount = r.base - gone.accounting_total where r.id = last_return.id and r.amount is null;
      insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, base_by_rate, changed_at)
        values (gen_random_uuid(), sale, gone.shop_id, this_month, p_today, shop.details ->> 'returnPaymentMethod', gone.accounting_total,
          compliance.by_rate_of(gone), clock_timestamp());
    end if;
  end if;

  -- A version that lists it, one that is being written included, may be filed as it is: then it is a sale after all.
  is_listed := gone.accounting_total is not null and exists (
    select from compliance.audit_months m
    where m.shop_id = gone.shop_id and m.month = coalesce(gone.month, last_return.month) and m.cut_at >= gone.recorded_at);
  insert into compliance.deleted_orders
    (id, shop_id, created_at, deleted_at, internal_key, merchant, document_number, document_date, edition, month, currency, sale_id, affects, recorded_from,
      delivered_at, delivered_on, listed_number, refund, entry)
    values (gone.id, gone.shop_id, gone.created_at, p_now, compliance.internal_key(gone.shop_id, gone.internal_id), gone.merchant, gone.document_number,
      gone.document_date, gone.edition, gone.month, gone.accounting_currency, sale, affected, gone.recorded_at, gone.delivered_at, gone.delivered_on,
      case when is_listed then coalesce(gone.listed_as, gone.internal_number) end,
      compliance.refund_of(gone, shop.details ->> 'returnPaymentMethod'), case when is_listed then to_jsonb(gone) - 'customer' end);
  return true;
end $$;
