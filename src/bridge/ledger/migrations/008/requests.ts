/** What the page of the compliance service looks up. */
export const requests = `
-- The last requests to a compliance service.
create index steps_of on steps (destination_id, began_at);
`;
