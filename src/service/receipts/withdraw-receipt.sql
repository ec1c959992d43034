-- Before an order is deleted: keeps that its document was issued, and what a storno notice would say to whom (p_sealed: the buyer's address, sealed). A
-- buyer who never got the document, or was forgotten since p_sealed was read, gets no notice of it, and nothing is kept of them.
-- Of mails that were sent stays no mark of their address.
create or replace function compliance.withdraw_receipt(p_order uuid, p_now timestamptz, p_sealed text) returns void language plpgsql as $$
begin
  -- Waits for anyone who issues it now, and lets nobody issue it later.
  perform from compliance.orders o where o.id = p_order for update;
  insert into compliance.withdrawn_receipts (order_id, shop_id, internal_key, document_number, edition, withdrawn_at, sealed_email, details)
    select o.id, o.shop_id, compliance.internal_key(o.shop_id, o.internal_id), o.document_number, o.edition, p_now, case when m.is_known then p_sealed end,
      case when m.is_known and p_sealed is not null then jsonb_build_object('seller', r.seller, 'english', r.english, 'orderNumber', o.internal_number,
        'documentDate', o.document_date, 'total', o.total::text, 'precision', o.precision, 'currency', o.currency) end
    from compliance.receipts r join compliance.orders o on o.id = r.order_id
      cross join lateral (select compliance.went_out(r) and o.customer is not null as is_known) m
    where r.order_id = p_order
    on conflict (order_id) do nothing;
  update compliance.mails m set delivered = '{}' from compliance.receipts r
    where r.order_id = p_order and m.dedup_key = any (compliance.mail_keys(r)) and m.sent_at is not null and m.delivered <> '{}';
end $$;
