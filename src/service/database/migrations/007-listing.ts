/** Orders are listed by age, and looked up by their numbers. */
export const listing = `
create index orders_by_age on compliance.orders (shop_id, created_at, id);
create index orders_by_number on compliance.orders (shop_id, internal_number);
`;
