import type { Migration } from '../../../platform/postgres/migrate.ts';

/** Apps by which stores are connected, each with secrets of its own. */
export const storeApps: Migration = {
  version: 10,
  name: 'store apps',
  sql: `
create table store_apps (
  id text primary key check (id ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),  -- chosen by a person; part of addresses
  platform text not null,
  client_id text not null,        -- as the platform names the app
  secrets text not null,          -- sealed: the secrets that sign its webhooks, and until when each is live
  kind text not null check (kind in ('custom', 'public', 'own')),
  scopes text[] not null,         -- what a merchant is asked for
  created_at timestamptz not null default now(),
  removed_at timestamptz
);
create unique index store_apps_by_client on store_apps (platform, client_id) where removed_at is null;

-- The app that the keys of the store's API name; null: none does.
alter table connections add column app text references store_apps;
create index connections_of_app on connections (app) where app is not null;

-- The app that an invited merchant approves; null: none was named.
alter table onboardings add column app text references store_apps;
-- Where a merchant wants mails who was invited by no mailbox, as he typed it: nobody has checked it, so that it proves nothing of who he is.
alter table onboardings add column mail_to text;

-- Merchants who were sent to their store, to approve an app there.
create table grant_requests (
  state bytea primary key,        -- SHA-256 of what the browser brings back
  app text not null references store_apps,
  url text not null,              -- the store that was asked
  onboarding uuid references onboardings on delete cascade,  -- null: it began at the platform, or with the app's own link
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index grant_requests_of on grant_requests (onboarding) where onboarding is not null;
`,
};
