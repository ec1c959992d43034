-- The numbers of a shop that is deleted with its orders stay on record.
create or replace function compliance.void_numbers_of_shop() returns trigger language plpgsql as $$
begin
  insert into compliance.voided_numbers (merchant, number, shop_id, voided_at)
    select o.merchant, o.document_number, o.shop_id, now() from compliance.orders o where o.shop_id = old.id
    union select s.merchant, s.document_number, s.shop_id, now() from compliance.filed_sales s where s.shop_id = old.id on conflict do nothing;
  return old;
end $$;

create or replace trigger void_numbers before delete on compliance.shops for each row execute function compliance.void_numbers_of_shop();
