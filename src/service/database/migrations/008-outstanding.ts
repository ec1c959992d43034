/** What shops reported of paid orders that are not recorded, and what a person knew of them when a month was marked as filed. */
export const outstanding = `
create table compliance.outstanding (
  shop_id uuid primary key references compliance.shops on delete cascade,
  at timestamptz not null,
  months jsonb not null
);

-- filed_without: the paid orders without which the month was filed. asked_at: since when its file waits for the store to be read.
alter table compliance.audit_months
  add filed_without jsonb,
  add asked_at timestamptz;
`;
