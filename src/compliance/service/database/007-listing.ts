/** Orders are listed by age. */
export const listing = `
create index orders_by_age on compliance.orders (shop_id, created_at, id);
`;
