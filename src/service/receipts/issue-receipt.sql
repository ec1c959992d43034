-- Issues the receipt of an order, once, with the seller of today, and queues its mail (p_mail: the mail's id; null: the buyer has no usable address).
-- False if it was issued before.
create or replace function compliance.issue_receipt(p_order uuid, p_receipt uuid, p_mail uuid, p_now timestamptz) returns boolean language plpgsql as $$
begin
  insert into compliance.receipts (id, order_id, shop_id, seller, created_at, english, mail_key, replaces)
    select p_receipt, o.id, o.shop_id, jsonb_build_object('name', s.details -> 'name', 'domain', s.details -> 'domain',
        'customerPhone', s.details -> 'customerPhone', 'customerEmail', s.details -> 'customerEmail', 'nraNumber', s.details -> 'nraNumber',
        'companyUic', s.details -> 'companyUic', 'companyName', s.details -> 'companyName', 'companyAddress', s.details -> 'companyAddress')
        || case when s.test then '{"test": true}' else '{}' end::jsonb,
      p_now, s.receipt_english, case when p_mail is not null then 'receipt/' || p_receipt end,
      -- Only what was issued can be replaced: not every order before this one had a document.
      (select w.document_number from compliance.withdrawn_receipts w
        where w.shop_id = o.shop_id and w.internal_key = compliance.internal_key(o.shop_id, o.internal_id) order by w.withdrawn_at desc limit 1)
    from compliance.orders o join compliance.shops s on s.id = o.shop_id where o.id = p_order
    on conflict (order_id) do nothing;
  if not found then return false; end if;
  insert into compliance.mails (id, kind, ref, dedup_key, shop_id, created_at)
    select p_mail, 'receipt', jsonb_build_object('receiptId', r.id), r.mail_key, r.shop_id, p_now
    from compliance.receipts r where r.id = p_receipt and r.mail_key is not null;
  if found then insert into jobs.jobs (kind, key) values ('mail', p_mail::text); end if;
  return true;
end $$;
