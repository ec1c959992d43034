/** Orders of which the store shows an older state than it gave before. */
export const olderThere = `
alter table orders add column older_there jsonb;  -- what the store was last seen to show {updatedAt, status, kept}, and when {at}; null: nothing older
`;
