/** Whose sales a merchant's store is for: said by the operator, or confirmed. */
export const companiesOfMerchants = `
-- The company (ЕИК without its branch) of which a shop may be made on this way; null: none is confirmed.
alter table onboardings add column company text;
create index onboardings_of_company on onboardings (company) where company is not null;
comment on column onboardings.email is 'of the merchant, where he was invited or as he confirmed it; null: he gets no mail';
comment on column onboarding_links.scope is 'all, status, step:NAME, or confirm:COMPANY:MAILBOX, of which the mailbox is a hash';
`;
