/**
 * Of a connection, orders whose record is behind lie before those that lack a receipt alone: while receipts are paused, a look for what is due passes
 * over all of these at once.
 */
export const turns = `
drop index orders_behind_of;
create index orders_behind_of on orders (connection_id, (case when revision > recorded_revision and revision > held_revision then 0 else 1 end), due_at)
  where (revision > recorded_revision and revision > held_revision) or (receipt ->> 'state') = 'due';
`;
