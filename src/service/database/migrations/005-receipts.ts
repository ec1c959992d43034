import { outboxTable } from '../../../platform/mail/outbox.ts';

/** Receipts that were issued, and the mails that are to be sent: their text is made when they go out, so nothing of a buyer is kept here. */
export const receipts = `
create table compliance.receipts (
  id uuid primary key,
  order_id uuid not null unique references compliance.orders on delete cascade,
  shop_id uuid not null references compliance.shops on delete cascade,
  seller jsonb not null,
  created_at timestamptz not null
);
create index receipts_of_shop on compliance.receipts (shop_id, created_at, id);
${outboxTable({ schema: 'compliance', owner: 'shop' }, 'uuid not null references compliance.shops on delete cascade')}`;
