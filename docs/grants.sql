-- What orderbridge's role in PostgreSQL may do: use, read and write what the owner made, and make nothing. Run it once in orderbridge's database, as its
-- owner or as superuser; it also holds for what later versions make, and may be repeated. Two roles and their database:
--   create role orderbridge_owner login password '…';
--   create role orderbridge login password '…';
--   create database orderbridge owner orderbridge_owner;
-- `orderbridge migrate` runs with the first role in DATABASE_URL, everything else with the second.

alter default privileges for role orderbridge_owner grant usage on schemas to orderbridge;
alter default privileges for role orderbridge_owner grant select, insert, update, delete on tables to orderbridge;
alter default privileges for role orderbridge_owner grant usage, select on sequences to orderbridge;
alter default privileges for role orderbridge_owner grant execute on functions to orderbridge;
alter default privileges for role orderbridge_owner revoke execute on functions from public;

-- What is there already.
do $$
declare
  made name;
begin
  for made in select nspname from pg_namespace where nspowner = 'orderbridge_owner'::regrole loop
    execute format('grant usage on schema %I to orderbridge', made);
    execute format('grant select, insert, update, delete on all tables in schema %I to orderbridge', made);
    execute format('grant usage, select on all sequences in schema %I to orderbridge', made);
    execute format('grant execute on all functions in schema %I to orderbridge', made);
  end loop;
end $$;
