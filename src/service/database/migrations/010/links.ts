/** Links in mails, a recipient, shop and month each. */
export const links = `
-- token_hash: of the token, which is in the mail alone. recipient: a keyed hash of the address, which is kept with the shop alone.
-- turn: 1, and one more with each link that followed an expired one. renewed_at: when a new link was asked for by this one.
create table compliance.month_links (
  id uuid primary key,
  token_hash bytea not null unique,
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  recipient text not null,
  turn int not null,
  created_at timestamptz not null,
  expires_on date not null,
  renewed_at timestamptz,
  unique (shop_id, month, recipient, turn)
);
`;
