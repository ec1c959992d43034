/** Ends sign-ins that are under way, beside sessions and links. */
export const accessVersion = `
alter table people add column access_version int not null default 0;  -- raised when what was checked of this person before no longer lets them in
`;
