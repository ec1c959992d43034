-- Has the buyer the document of a receipt, or may they have it? One of its mails was sent, is being sent, or ended long ago, and its row is dropped.
create or replace function compliance.went_out(r compliance.receipts) returns boolean language sql stable
  return r.mail_key is not null and (
    r.mail_state is not distinct from 'sent'
    or (r.mail_state is null and not exists (select from compliance.mails m where m.dedup_key = 'receipt/' || r.id))
    -- Tried without a word of how it ended: a try is under way, or its process died.
    or exists (select from compliance.mails m where m.dedup_key = any (compliance.mail_keys(r))
      and (m.sent_at is not null or (m.next_at is not null and m.attempts > 0 and m.last_error is null))));
