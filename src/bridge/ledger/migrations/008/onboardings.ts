import { outboxRecipients, outboxTable } from '../../../../platform/mail/outbox.ts';

const mails = { schema: 'bridge', owner: 'onboarding' };

/** How merchants connect their stores by pages, and are told what only they can do. */
export const onboardings = `
-- One merchant's way to one connected store. Of links and states SHA-256 alone is kept.
create table onboardings (
  id uuid primary key default gen_random_uuid(),
  who text not null,                    -- who invited, as the trail names him
  email text,                           -- of the merchant; null: he gets no mail
  lang text check (lang in ('en', 'bg')),  -- null: as his browser says
  shop_id uuid,                         -- at the compliance service: given by the inviter, chosen, or created
  destination_id uuid references destinations,
  platform text,
  connection_id text references connections,
  done text[] not null default '{}',    -- steps
  progress jsonb not null default '{}', -- by step: what was typed and found; nothing secret
  sealed text,                          -- keys of the store until there is a connection
  version int not null default 1,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,      -- of the way to the start; what has started goes on
  revoked_at timestamptz,
  started_at timestamptz                -- recording began
);
create index onboardings_of_connection on onboardings (connection_id);

create table onboarding_links (
  token bytea primary key,
  onboarding uuid not null references onboardings on delete cascade,
  scope text not null,                  -- all, status, or step:NAME
  made_at timestamptz not null default now(),
  expires_at timestamptz,               -- null: without an end
  revoked_at timestamptz
);
create index onboarding_links_of on onboarding_links (onboarding);

-- A store was asked to hand its keys over.
create table hand_overs (
  state bytea primary key,
  onboarding uuid not null references onboardings on delete cascade,
  url text not null,                    -- the store that was asked, whatever the answer says
  made_at timestamptz not null default now(),
  expires_at timestamptz not null,
  taken_at timestamptz,
  proven_at timestamptz,
  sealed text,                          -- the keys that came
  refused text                          -- why the store refused them: they are forgotten
);
create index hand_overs_of on hand_overs (onboarding);

-- What only a merchant can put right, as long as it lasts and a day longer.
create table merchant_troubles (
  connection_id text not null references connections on delete cascade,
  cause text not null,
  began_at timestamptz not null,
  seen_at timestamptz not null,
  mailed_at timestamptz,
  primary key (connection_id, cause)
);
${outboxTable(mails, 'uuid not null references onboardings on delete cascade')}${outboxRecipients(mails)}`;
