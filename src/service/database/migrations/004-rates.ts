/** Exchange rates of the Bulgarian National Bank, as published, and the days on which each sheet is known to count. */
export const exchangeRates = `
-- Days on which the bank published. counts_until: the last day on which no newer sheet was there, as far as somebody looked.
create table compliance.rate_sheets (
  published_on date primary key,
  counts_until date not null,
  check (counts_until >= published_on)
);

-- An amount in the currency is amount * multiply / divide in the base.
create table compliance.exchange_rates (
  currency text not null,
  published_on date not null references compliance.rate_sheets,
  base text not null check (base in ('EUR', 'BGN')),
  multiply numeric not null check (multiply > 0),
  divide numeric not null check (divide > 0),
  source text not null,
  imported_at timestamptz not null,
  primary key (currency, published_on)
);
`;
