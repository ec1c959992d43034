/** What a person did to many orders at once, so that whoever comes back sees what became of them. */
export const runs = `
create table runs (
  id uuid primary key default gen_random_uuid(),
  who text not null,
  act text not null,
  about jsonb not null,         -- the group or the filter, for words
  orders bigint[] not null,
  at timestamptz not null default now(),
  held_until timestamptz,       -- a process works on it until then, or died
  ended_at timestamptz          -- it was worked on to its end
);
create index runs_by_age on runs (at);
`;
