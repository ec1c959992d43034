-- The number under which files list an order, kept with it; null: that of the shop's software. If another order bears the same, in a file or on the
-- way into one, the document number is added.
create or replace function compliance.listed_as(p_shop uuid, p_internal_number text, p_number bigint) returns text language sql stable
  return case when exists (
    select from compliance.orders e where e.shop_id = p_shop and e.internal_number = p_internal_number and e.listed_as is null and e.document_number <> p_number
  ) or exists (
    select from compliance.filed_sales s where s.shop_id = p_shop and s.order_number = p_internal_number and s.document_number <> p_number
  ) or exists (
    select from compliance.deleted_orders d where d.shop_id = p_shop and d.listed_number = p_internal_number and d.document_number <> p_number
  ) then p_internal_number || ' / ' || lpad(p_number::text, 10, '0') end;
