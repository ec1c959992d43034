/** Answers that somebody proposed who may not give them himself. */
export const proposals = `
create table proposals (
  id uuid primary key default gen_random_uuid(),
  connection_id text not null references connections on delete cascade,
  code text not null,           -- of the question, as in asked_orders
  alike text not null,
  answers jsonb not null,       -- [{value, name}] for each setting that the question asks, in its order
  was jsonb not null,           -- what was set for them then
  note text not null,
  who text not null,
  at timestamptz not null default now(),
  ended_as text check (ended_as in ('accepted', 'declined', 'replaced')),
  ended_by text,
  ended_at timestamptz,
  word text                     -- why it was declined
);
-- The newest one counts.
create unique index proposals_open on proposals (connection_id, code, alike) where ended_at is null;
create index proposals_by_question on proposals (connection_id, code, alike, at);
`;
