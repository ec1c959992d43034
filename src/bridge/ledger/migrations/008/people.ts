/** Who may sign in to the console, and who is signed in. */
export const people = `
create table people (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  name text not null default '',
  role text not null check (role in ('owner', 'operator', 'accountant', 'viewer')),
  shops uuid[],                 -- of an accountant: the shops of the compliance service that he sees; null: all
  lang text not null default 'en' check (lang in ('en', 'bg')),
  password text,                -- a PHC string (argon2id); null: he signs in by a link or by OIDC
  issuer text,                  -- of OIDC, with the subject there
  subject text,
  created_at timestamptz not null default now(),
  disabled_at timestamptz
);
create unique index people_by_email on people (lower(email));
create unique index people_by_subject on people (issuer, subject) where subject is not null;

-- token: SHA-256 of what the cookie says.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  token bytea not null unique,
  person uuid not null references people on delete cascade,
  way text not null,            -- how he signed in: password, link, oidc
  agent text not null default '',
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index sessions_of_person on sessions (person);

-- What one may do once: the first visit (person is null), choose a password, sign in.
create table sign_in_links (
  token bytea primary key,      -- SHA-256 of what its address says
  kind text not null check (kind in ('setup', 'password', 'sign-in')),
  person uuid references people on delete cascade,
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_by_age on sign_in_links (expires_at);
create index sign_in_links_of_person on sign_in_links (person);
`;
