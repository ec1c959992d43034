-- The keys of a receipt's mails in the outbox: the first one, the newest, and those of the last day.
create or replace function compliance.mail_keys(r compliance.receipts) returns text[] language sql stable
  return array['receipt/' || r.id, r.mail_key]
    || array(select 'receipt/' || r.id || '/' || (extract(epoch from at) * 1000)::bigint from unnest(r.resent) at);
