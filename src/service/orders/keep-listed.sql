-- An order leaves its month, or is listed there as a part of a sale from now on. A version that lists it may still be the one that is filed, so its row is
-- kept, as that of an order that was replaced by itself. p_sale: the sale. p_declared: versions list it whatever they leave out.
create or replace function compliance.keep_listed(p_order compliance.orders, p_now timestamptz, p_sale uuid default null, p_declared boolean default false)
returns void language sql as $$
  insert into compliance.deleted_orders
    (id, shop_id, created_at, deleted_at, internal_key, merchant, document_number, document_date, edition, month, currency, sale_id, affects, recorded_from,
      replaced_by, listed_number, entry)
    select gen_random_uuid(), p_order.shop_id, p_order.created_at, p_now, compliance.internal_key(p_order.shop_id, p_order.internal_id), p_order.merchant,
      p_order.document_number, p_order.document_date, p_order.edition, p_order.month, p_order.accounting_currency, p_sale, p_order.month, p_order.recorded_at,
      p_order.id, coalesce(p_order.listed_as, p_order.internal_number),
      to_jsonb(p_order) - 'customer' || case when p_declared then '{"is_declared": true}' else '{}' end::jsonb
    where p_order.accounting_total is not null and exists (
      select from compliance.audit_months m where m.shop_id = p_order.shop_id and m.month = p_order.month and m.cut_at >= p_order.recorded_at)
$$;
