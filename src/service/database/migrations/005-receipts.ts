import { outboxTable } from '../../../platform/mail/outbox.ts';

/** Issued receipts, and the mails to be sent: a mail's text is made when it goes out, so no buyer data is kept here. */
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
