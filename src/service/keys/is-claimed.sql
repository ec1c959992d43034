-- Does the company belong to others, so that this owner takes no new numbers of it? It was moved away from them; one that belongs to nobody is free.
create or replace function compliance.is_claimed(p_merchant text, p_owner uuid) returns boolean language sql stable
  return exists (select from compliance.company_owners w where w.merchant = p_merchant)
    and not exists (select from compliance.company_owners w where w.merchant = p_merchant and w.owner_id = p_owner);
