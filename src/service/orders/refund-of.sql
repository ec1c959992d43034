-- What is kept of a deleted order for the case that its money was given back within the month of its sale: day, payment and declared amounts, without its
-- number in the shop, its goods and its buyer. Null without a known amount.
create or replace function compliance.refund_of(o compliance.orders, p_way text) returns jsonb language sql stable
  return case when o.accounting_total is not null then jsonb_build_object('at', o.internal_created_at, 'payment', o.payment_type, 'way', p_way,
    'total', o.accounting_total::text, 'byRate', compliance.by_rate_of(o)) end;
