-- The receipts of a group of orders that were just created, of shops that want them made: in the transaction of the orders, so none is lost.
-- p_calls are those of create_orders, with receipt: { id, mail } where the payment type has one.
create or replace function compliance.issue_automatic_receipts(p_calls jsonb, p_done compliance.creation[]) returns void language plpgsql as $$
declare
  one record;
begin
  if not exists (select from compliance.shops s where s.automatic_receipts
    and s.id in (select (c -> 'order' ->> 'shop_id')::uuid from jsonb_array_elements(p_calls) c)) then return; end if;
  for one in
    select d.order_id, d.order_created_at, (c.call -> 'receipt' ->> 'id')::uuid as receipt, (c.call -> 'receipt' ->> 'mail')::uuid as mail
    from unnest(p_done) d join jsonb_array_elements(p_calls) with ordinality c(call, place) on c.place = d.place
      join compliance.shops s on s.id = (c.call -> 'order' ->> 'shop_id')::uuid
    where d.outcome = 'created' and s.automatic_receipts and c.call -> 'receipt' ->> 'id' is not null
  loop
    perform compliance.issue_receipt(one.order_id, one.receipt, one.mail, one.order_created_at);
  end loop;
end $$;
