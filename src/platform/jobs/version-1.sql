-- Background work, version 1 of the schema `jobs`, which every program here uses.

-- What is done later, and retried until it is done. A row is written in the transaction of its cause, and goes when it is done. Ids only: what else a job
-- needs is looked up when it runs. Its kinds are in operations/job-kinds.ts.
create table jobs.jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null,
  made_at timestamptz not null default now(), -- when its cause was, the last time
  due_at timestamptz default now(),     -- while it runs, the end of its lease; null: it can't be done until something changes
  lease uuid,                           -- of the claim that runs it; null: none does
  attempts int not null default 0,
  error text,                           -- why the last attempt failed, or why it can't be done
  unique (kind, key)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_vacuum_insert_threshold = 10000, autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 500); -- as tables of orders

create index jobs_due on jobs.jobs (kind, due_at, id) where due_at is not null;
create index jobs_failing on jobs.jobs (kind) where error is not null;

-- ── Which database this is ──

-- One row. After a restore, a copy or a failover the database is another one than it says: then numbers may be given twice and orders recorded twice, so
-- nothing is recorded until a person says how far it had got (`orderbridge resume`).
create table jobs.database (
  one boolean primary key default true check (one),
  id uuid not null default gen_random_uuid(), -- under which Redis, or DATA_DIR, knows how far it got
  place text not null,                  -- where it may record: the system identifier, the oid of the database, the timeline
  epoch int not null default 1,         -- counts what persons said
  verified text,                        -- the start of the server at which a program saw that the place is the right one, and that nothing is lacking
  synchronous boolean not null default false, -- a standby had each commit before it was answered
  mark text,                            -- a file in DATA_DIR, and what no copy of it has; null: the database is not embedded
  stopped text check (stopped in ('moved', 'older', 'copied')), -- null: it may record, where the place is the right one
  since timestamptz
);

-- Rises every few seconds while a program may record. A table of its own: a row that changes often is slow to read under a long snapshot.
create table jobs.beats (one boolean primary key default true check (one), beat bigint not null);
insert into jobs.beats (beat) values (0);

create function jobs.place() returns text language sql stable as $$
  select s.system_identifier || '/' || d.oid || '/' || ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int
    from pg_control_system() s, pg_database d where d.datname = current_database()
$$;

-- Changes with each start of the server, and is another one in a copy of the database: cheaper than its place, which reads a file.
create function jobs.server_start() returns text language sql stable as $$
  select d.oid || '/' || extract(epoch from pg_postmaster_start_time()) from pg_database d where d.datname = current_database()
$$;

create function jobs.may_record() returns boolean language sql stable as $$
  select exists (select from jobs.database d where d.stopped is null and d.verified = jobs.server_start())
$$;

-- True, or raises OB005. What records calls it in its own transaction. After a start of the server, until a program has looked (seconds), nothing does.
create function jobs.same_database() returns boolean language plpgsql stable as $$
begin
  if jobs.may_record() then return true; end if;
  raise exception 'nothing is recorded until a program sees that this is the same database as before its start; `orderbridge resume` says more' using errcode = 'OB005';
end $$;

-- What was restored without this schema is not known to be the same.
insert into jobs.database (place, verified)
  select case when is_new then jobs.place() else '' end, case when is_new then jobs.server_start() end
  from (select to_regclass('bridge.orders') is null and to_regclass('compliance.orders') is null as is_new) made;

-- ── Which processes run ──

-- Each says so every few seconds, reads the keys then, and whether it is too old for the tables; a command does before its first statement.
create table jobs.processes (
  id uuid primary key,
  role text not null,
  host text not null,
  pid int,                              -- null: of a command
  knows text[] not null,                -- ids of its ENCRYPTION_KEYS
  versions jsonb not null,              -- {schema: version} that it was made for
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

-- The first schema whose tables a program of these versions is too old for; null: there is none. A schema that nobody made yet is not too new for anyone.
create function jobs.too_old_for(versions jsonb) returns text language plpgsql stable as $$
declare
  name text;
  version int;
  oldest int;
begin
  for name, version in select key, value::int from jsonb_each_text(versions) loop
    continue when to_regclass(format('%I.migrations', name)) is null;
    execute format('select max(runs_beside) from %I.migrations', name) into oldest;
    if oldest > version then return name; end if;
  end loop;
  return null;
end $$;
