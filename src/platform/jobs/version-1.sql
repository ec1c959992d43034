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
