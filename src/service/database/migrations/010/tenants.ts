/** Whose a company number is, keys of one owner, test shops, and ranges of numbers that were skipped. */
export const tenants = `
-- owner_id: the first key of its owner; null for that key itself. ends_at: it was rotated, and another one takes its place. test: of all keys of an owner.
alter table compliance.api_keys
  add owner_id uuid references compliance.api_keys,
  add test boolean not null default false,
  add ends_at timestamptz;

-- api_key_id is the first key of the shop's owner. merchant: whose sequence of document numbers it takes from; test shops have one of their owner's.
alter table compliance.shops
  add test boolean not null default false,
  add merchant text generated always as (case
    when test then 'T' || (details ->> 'companyUic') || '/' || api_key_id::text
    when length(details ->> 'companyUic') = 10 then details ->> 'companyUic'
    else left(details ->> 'companyUic', 9) end) stored;
create index shops_of_merchant on compliance.shops (merchant);

-- Who may create shops of a merchant: the owner whose key used the number first, and those whom the operator let in. unconfirmed: shops of several
-- owners were there before anybody asked whose it is.
create table compliance.company_owners (
  merchant text not null,
  owner_id uuid not null references compliance.api_keys,
  since timestamptz not null,
  unconfirmed boolean not null default false,
  primary key (merchant, owner_id)
);
insert into compliance.company_owners (merchant, owner_id, since, unconfirmed)
  select s.merchant, s.api_key_id, min(s.created_at), count(*) over (partition by s.merchant) > 1
  from compliance.shops s group by s.merchant, s.api_key_id;

-- Numbers that nobody will get, and why. They outlive the merchant's shops.
create table compliance.skipped_numbers (
  merchant text not null,
  first bigint not null,
  last bigint not null check (last >= first),
  why text not null,
  who text not null,
  at timestamptz not null,
  primary key (merchant, first)
);
`;
