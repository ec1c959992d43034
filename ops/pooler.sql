-- The settings of orderbridge's role in PostgreSQL behind a pooler (pgbouncer.ini), which passes no startup options on. Run it as this role or as
-- superuser, then RECONNECT in the console of PgBouncer; a start checks them. `orderbridge migrate` needs none of it: give it the owner's
-- DATABASE_URL, past the pooler, and an empty DATABASE_DIRECT_URL.

alter role orderbridge set search_path = bridge, jobs;
alter role orderbridge set enable_hashjoin = off;
alter role orderbridge set enable_mergejoin = off;
alter role orderbridge set jit = off;
alter role orderbridge set statement_timeout = '30s';
alter role orderbridge set idle_in_transaction_session_timeout = '30s';
