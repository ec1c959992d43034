/** Buyers who are forgotten, and until when things are kept. */
export const buyers = `
create index orders_with_buyer on compliance.orders (created_at) where customer is not null;
-- What became of its mail, once that is not listed any more: sent or failed.
alter table compliance.receipts add mail_state text;
create index mails_over on compliance.mails ((coalesce(sent_at, failed_at))) where next_at is null;
`;
