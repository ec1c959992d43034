/** A claim that nobody but its owner made lapses with its last shop; what the operator said stays. */
export const grantedCompanies = `
alter table compliance.company_owners add granted boolean not null default false;
comment on column compliance.company_owners.granted is 'the operator said so, whether or not the owner has a shop of the merchant';
`;
