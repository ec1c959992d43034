-- The declared amounts of an order by VAT rate: [{rate, total, vat}]. If they are not kept with it, only where all its lines have one rate; else null:
-- not known.
create or replace function compliance.by_rate_of(o compliance.orders) returns jsonb language sql stable
  return coalesce(o.accounting_by_rate, case
    when o.accounting_total is not null and (select count(distinct line ->> 'vatRate') from jsonb_array_elements(o.line_items) line) = 1
    then jsonb_build_array(jsonb_build_object('rate', o.line_items -> 0 ->> 'vatRate', 'total', o.accounting_total::text, 'vat', o.accounting_vat::text)) end);
