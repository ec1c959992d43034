-- The number under which a file lists an order: that of the shop's software, with the document number behind it if an earlier one bears the same.
create or replace function compliance.listed_number(o compliance.orders) returns text language sql stable
  return o.internal_number || case when exists (
    select from compliance.orders e where e.shop_id = o.shop_id and e.internal_number = o.internal_number and e.document_number < o.document_number
  ) or exists (
    select from compliance.filed_sales s where s.shop_id = o.shop_id and s.order_number = o.internal_number and s.document_number < o.document_number
  ) then ' / ' || lpad(o.document_number::text, 10, '0') else '' end;
