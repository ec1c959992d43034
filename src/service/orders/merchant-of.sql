-- Whose sequence of document numbers a company number belongs to: a company and its branches (9 and 13 digits) have one, a natural person (10) his own.
create or replace function compliance.merchant_of(p_uic text) returns text language sql immutable parallel safe
  return case when length(p_uic) = 10 then p_uic else left(p_uic, 9) end;
