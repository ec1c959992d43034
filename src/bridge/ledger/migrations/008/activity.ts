/** Indexes by which the trail is read: whose acts, and which. */
export const activity = `
create index acts_of_author on acts (who, id);
create index acts_of_kind on acts (act, id);
`;
