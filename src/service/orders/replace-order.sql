-- If the order replaces a deleted one: keeps its number and date, counts the edition, and decides where it belongs. A sale that a closed month lists
-- stays there, and what is less now is the return; if it grew, the old sale is returned whole, set off, and the new one is a sale of its own.
create or replace function compliance.replace_order(inout sent compliance.orders, in p_accounts jsonb, in p_first_open date) language plpgsql as $$
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
  -- Without a rate nobody knows whether it is less: then it is a sale of its own, too.
  if not compliance.is_closed(sent.shop_id, back.month, p_first_open) and (p_accounts -> back.currency ->> 'total')::numeric <= back.base then
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
