-- The payment types that the file of a month leaves out. A month that can't change any more keeps what its file was made with, or what counted when its
-- term ended; in the others the shop's setting counts. p_without_receipt: the types without a receipt.
create or replace function compliance.left_out(p_shop uuid, p_month date, p_first_open date, p_without_receipt text[]) returns text[] language sql stable
  return (
    select case
      when m.left_out is not null and (p_month < p_first_open or m.state = 'filed') then m.left_out
      when (s.details ->> 'auditNoReceiptOrders')::boolean then '{}'
      else p_without_receipt end
    from compliance.shops s left join compliance.audit_months m on m.shop_id = s.id and m.month = p_month where s.id = p_shop
  );
