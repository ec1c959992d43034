/** What somebody began on a store’s page and takes longer than an answer, so that whoever comes back sees how far it is, or what came of it. */
export const tasks = `
create table tasks (
  id uuid primary key default gen_random_uuid(),
  connection_id text not null references connections on delete cascade,
  kind text not null check (kind in ('compare', 'heal', 'plan', 'backfill', 'test')),
  who text not null,
  at timestamptz not null default now(),
  about jsonb not null,         -- what it was begun with
  seen int not null default 0,  -- orders that were read so far
  result jsonb,                 -- what came of it
  problem jsonb,                -- {en, bg}: why it could not be done
  held_until timestamptz,       -- a process works on it until then, or died
  ended_at timestamptz          -- it came to its end, or can't be done
);
create index tasks_of on tasks (connection_id, at);
create index tasks_by_age on tasks (at);
`;
