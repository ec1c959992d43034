-- Has the buyer the document of a receipt, or may they have it? One of its mails was sent, is being sent, or ended long ago, and its row is dropped.
create or replace function compliance.went_out(r compliance.receipts) returns boolean language sql stable
  return r.mail_key is not null and (
    r.mail_state is not distinct from 'sent'
    or (r.mail_state is null and not exists (select from compliance.mails m where m.dedup_key = 'receipt/' || r.id))
    or exists (select from compliance.mails m where m.dedup_key = any (compliance.mail_keys(r))
      -- A try is under way, or its process died.
      and (m.sent_at is not null or exists (select from jobs.jobs j where j.kind = 'mail' and j.key = m.id::text and j.lease is not null))));
