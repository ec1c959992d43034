/**
 * The facts of orders leave `orders`, whose rows are written at each claim, step and answer. What is listed, summed or asked in those statements is repeated
 * there, as the program writes it from then on. One statement writes all rows anew, so that none is left behind twice.
 */
export const facts = `
create table order_facts (
  order_ref bigint not null,
  facts jsonb not null          -- without the customer
);
insert into order_facts (order_ref, facts) select id, facts from orders;
-- Afterwards: row by row it takes far longer.
alter table order_facts add primary key (order_ref), add foreign key (order_ref) references orders on delete cascade;

-- The journal has the record of an open create; where it is not the same, it stays in the step.
update orders o set open_step = o.open_step - 'record' from steps s
  where o.open_step ? 'record' and s.order_ref = o.id and s.seq = (o.open_step ->> 'seq')::int and s.record = o.open_step -> 'record';

drop trigger asked_when_made on orders;
drop trigger asked_when_changed on orders;
drop index orders_by_sale;
drop index orders_by_total;
alter table orders
  add column sold_at text collate "C",  -- when it was paid, or else placed: ISO instants in UTC, whose order as text is that of time
  add column total numeric,             -- what the customer paid or has to pay; null: not known
  add column currency text,
  add column delivered_at text;         -- ISO
alter table orders
  alter column sold_at type text collate "C" using coalesce(facts #>> '{snapshot,paidAt}', facts ->> 'paidAt', facts #>> '{snapshot,placedAt}'),
  alter column total type numeric using case when facts #>> '{snapshot,total}' ~ '^-?[0-9]{1,20}([.][0-9]{1,10})?$' then (facts #>> '{snapshot,total}')::numeric end,
  alter column currency type text using facts #>> '{snapshot,currency}',
  alter column delivered_at type text using facts #>> '{snapshot,deliveredAt}',
  drop column facts;
create index orders_by_sale on orders (connection_id, state, sold_at, id);
create index orders_by_total on orders (total, id);

create or replace function keep_asked_order() returns trigger language plpgsql set search_path from current as $$
declare
  made_at timestamptz;
  code_asked text := case new.state when 'parked' then coalesce(new.parked_code, '') else '' end;
  asked_alike text := coalesce(case new.state when 'parked' then what_is_asked(new.parked_code, new.parked_detail) end, '');
  month_made text;
begin
  if new.state not in ('parked', 'unconfirmed') then
    delete from asked_orders where order_ref = new.id;
    return null;
  end if;
  begin
    select (f.facts #>> '{snapshot,createdAt}')::timestamptz into made_at from order_facts f where f.order_ref = new.id;
  exception when others then
    made_at := null;
  end;
  month_made := to_char(made_at at time zone 'Europe/Sofia', 'YYYY-MM');
  insert into asked_orders values (new.id, new.connection_id, new.state, code_asked, asked_alike, new.currency, new.total, made_at, month_made,
    new.record is null, new.created_at,
    hashtextextended(jsonb_build_array(new.connection_id, new.state, code_asked, asked_alike, new.currency, month_made)::text, 0), new.revision)
  on conflict (order_ref) do update set (connection_id, state, code, alike, currency, total, made, month, is_unrecorded, kind, revision) = (excluded.connection_id,
    excluded.state, excluded.code, excluded.alike, excluded.currency, excluded.total, excluded.made, excluded.month, excluded.is_unrecorded, excluded.kind, excluded.revision);
  return null;
end $$;
create trigger asked_when_made after insert on orders for each row when (new.state in ('parked', 'unconfirmed')) execute function keep_asked_order();
create trigger asked_when_changed after update on orders for each row
  when (new.state in ('parked', 'unconfirmed') or old.state in ('parked', 'unconfirmed')) execute function keep_asked_order();
`;
