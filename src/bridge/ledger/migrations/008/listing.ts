/** Indexes by which pages list orders. */
export const listing = `
-- Each list takes the newest of each store, and merges them; counts by state read the first of them alone.
create index orders_by_state on orders (connection_id, state, id);
create index orders_by_code on orders (connection_id, parked_code, id) where state in ('parked', 'unconfirmed');
-- When it was paid, or else placed: ISO instants in UTC, whose order as text is that of time.
create index orders_by_sale on orders (connection_id, state, (coalesce(facts #>> '{snapshot,paidAt}', facts ->> 'paidAt', facts #>> '{snapshot,placedAt}') collate "C"), id);
create index orders_by_total on orders (
  (case when facts #>> '{snapshot,total}' ~ '^[0-9]{1,20}([.][0-9]{1,10})?$' then (facts #>> '{snapshot,total}')::numeric end), id);
`;
