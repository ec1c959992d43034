import { createFunctions } from './003-create-orders.ts';
import { keepToFiled } from './003-keep-to-filed.ts';

/** The month whose file lists an order: that of its date, never one to come, and the earliest open one if that is closed. */
const monthFor = `
create function compliance.month_for(p_shop uuid, p_order_month date, p_today date, p_first_open date) returns date language plpgsql stable as $$
declare
  target date := greatest(least(p_order_month, date_trunc('month', p_today)::date), p_first_open);
begin
  while target < date_trunc('month', p_today)::date and compliance.is_closed(p_shop, target, p_first_open) loop
    target := target + interval '1 month';
  end loop;
  return target;
end $$;
`;

/**
 * If the order replaces a deleted one: keeps its number and date, counts the edition, and decides where it belongs. A sale that a closed month lists
 * stays there, and what is less now is the return; if it grew, the old sale is returned whole, set off, and the new one is a sale of its own.
 */
const replaceOrder = `
create function compliance.replace_order(inout sent compliance.orders, in p_accounts jsonb, in p_first_open date) language plpgsql as $$
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
`;

/** The number under which a file lists an order: that of the shop's software, with the document number behind it if an earlier one bears the same. */
const listedNumber = `
create function compliance.listed_number(o compliance.orders) returns text language sql stable
  return o.internal_number || case when exists (
    select from compliance.orders e where e.shop_id = o.shop_id and e.internal_number = o.internal_number and e.document_number < o.document_number
  ) or exists (
    select from compliance.filed_sales s where s.shop_id = o.shop_id and s.order_number = o.internal_number and s.document_number < o.document_number
  ) then ' / ' || lpad(o.document_number::text, 10, '0') else '' end;
`;

/** Deletes an order and keeps what the law still asks for: its number, and the money given back if a closed month lists it. */
const deleteOrder = `
create function compliance.delete_order(p_id uuid, p_api_key uuid, p_now timestamptz, p_today date, p_first_open date, p_without_receipt text[])
returns boolean language plpgsql as $$
declare
  shop compliance.shops;
  gone compliance.orders;
  sale uuid;
  last_return compliance.returns;
  this_month date := date_trunc('month', p_today)::date;
  affected date;
  is_listed boolean;
begin
  -- The shop before the order, as everybody locks them.
  perform from compliance.shops s where s.id = (select o.shop_id from compliance.orders o where o.id = p_id) and s.api_key_id = p_api_key for key share;
  if not found then return false; end if;
  -- Whoever creates holds this too: what is created next sees the deletion that it replaces.
  perform from compliance.merchants m where m.id = (
    select left(s.details ->> 'companyUic', 9) from compliance.shops s join compliance.orders o on o.shop_id = s.id where o.id = p_id) for update;
  delete from compliance.orders o where o.id = p_id returning * into gone;
  if not found then return false; end if;
  select * into shop from compliance.shops s where s.id = gone.shop_id;

  affected := gone.month;
  sale := gone.sale_id;
  -- An order whose rate is missing was never in a file: that month's is blocked until the rate is known. One that the shop leaves out is in none.
  if sale is null and gone.accounting_total is not null
    and ((shop.details ->> 'auditNoReceiptOrders')::boolean or gone.payment_type <> all (p_without_receipt)) and compliance.is_closed(gone.shop_id, gone.month, p_first_open) then
    sale := gen_random_uuid();
    insert into compliance.filed_sales (id, shop_id, merchant, order_number, document_number, document_date, month, currency, entry)
      values (sale, gone.shop_id, gone.merchant, compliance.listed_number(gone), gone.document_number, gone.document_date, gone.month, gone.accounting_currency,
        to_jsonb(gone) - 'customer');
  end if;

  if sale is null then
    insert into compliance.voided_numbers (merchant, number, shop_id, voided_at) values (gone.merchant, gone.document_number, gone.shop_id, p_now);
    -- A sale that an old one was set off against is taken back: now the money went back indeed.
    update compliance.returns r set way = shop.details ->> 'returnPaymentMethod', returned_on = p_today, changed_at = clock_timestamp()
      from compliance.deleted_orders d
      where d.replaced_by = gone.id and d.sale_id = r.sale_id and r.month = this_month and r.amount = r.base and r.way = 'OTHER';
  else
    affected := this_month;
    select * into last_return from compliance.returns r where r.sale_id = sale order by r.month desc limit 1;
    if found and last_return.month = this_month and last_return.amount is null then
      update compliance.returns r set returned_on = p_today, changed_at = clock_timestamp() where r.id = last_return.id;
    else
      update compliance.returns r set amount = r.base - gone.accounting_total where r.id = last_return.id and r.amount is null;
      insert into compliance.returns (id, sale_id, shop_id, month, returned_on, way, base, changed_at)
        values (gen_random_uuid(), sale, gone.shop_id, this_month, p_today, shop.details ->> 'returnPaymentMethod', gone.accounting_total, clock_timestamp());
    end if;
  end if;

  -- A version that lists it may be filed as it is: then it is a sale after all.
  is_listed := exists (
    select from compliance.audit_files f where f.shop_id = gone.shop_id and f.month = coalesce(gone.month, last_return.month) and f.cut_at >= gone.recorded_at);
  insert into compliance.deleted_orders
    (id, shop_id, created_at, deleted_at, internal_key, merchant, document_number, document_date, edition, month, currency, sale_id, affects, recorded_from,
      listed_number, entry)
    values (gone.id, gone.shop_id, gone.created_at, p_now, compliance.internal_key(gone.shop_id, gone.internal_id), gone.merchant, gone.document_number,
      gone.document_date, gone.edition, gone.month, gone.accounting_currency, sale, affected, gone.recorded_at,
      case when is_listed then compliance.listed_number(gone) end, case when is_listed then to_jsonb(gone) - 'customer' end);
  return true;
end $$;
`;

/** The numbers of a shop that is deleted with its orders stay on record. */
const voidNumbersOfShop = `
create function compliance.void_numbers_of_shop() returns trigger language plpgsql as $$
begin
  insert into compliance.voided_numbers (merchant, number, shop_id, voided_at)
    select o.merchant, o.document_number, o.shop_id, now() from compliance.orders o where o.shop_id = old.id
    union select s.merchant, s.document_number, s.shop_id, now() from compliance.filed_sales s where s.shop_id = old.id on conflict do nothing;
  return old;
end $$;
create trigger void_numbers before delete on compliance.shops for each row execute function compliance.void_numbers_of_shop();
`;

export const orderFunctions = [monthFor, replaceOrder, createFunctions, listedNumber, deleteOrder, voidNumbersOfShop, keepToFiled].join('\n');
