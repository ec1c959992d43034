/** What returns say of VAT, the rules that an order's sums were computed with, and sales that were given back within their month. */
export const returns = `
-- calculation: the edition of the rules; null is the first, of orders that were recorded before this version. accounting_by_rate: the declared amounts by
-- VAT rate, [{rate, total, vat}]; null as long as they are not known, and of those earlier orders.
alter table compliance.orders
  add calculation smallint,
  add accounting_by_rate jsonb;

-- base by VAT rate; null where it is not known.
alter table compliance.returns add base_by_rate jsonb;

-- What is left to tell of money that was given back within the month of its sale: {at, payment, way, total, byRate}. No number in the shop, no
-- goods, no buyer.
alter table compliance.deleted_orders add refund jsonb;

-- The sums of a version by day, VAT rate and payment, as CSV.
create table compliance.audit_bookkeeping_chunks (
  file_id uuid not null references compliance.audit_files on delete cascade deferrable initially deferred,
  n int not null,
  content bytea not null,
  primary key (file_id, n)
);
alter table compliance.audit_bookkeeping_chunks alter content set storage external;

-- Returns of sales of one rate, whose rows are still kept.
update compliance.returns r set base_by_rate =
    jsonb_build_array(jsonb_build_object('rate', s.entry -> 'line_items' -> 0 ->> 'vatRate', 'total', s.entry ->> 'accounting_total', 'vat', s.entry ->> 'accounting_vat'))
  from compliance.filed_sales s
  where s.id = r.sale_id and (s.entry ->> 'accounting_total')::numeric = r.base
    and (select count(distinct line ->> 'vatRate') from jsonb_array_elements(s.entry -> 'line_items') line) = 1;
`;
