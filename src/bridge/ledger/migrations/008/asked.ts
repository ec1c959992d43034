/**
 * Orders about which a person is asked, narrow: their facts are slow to read, and pages count and sum them at each look. Kept by the database itself, so
 * that earlier releases, which may run beside this one, keep it, too.
 */
export const asked = `
create table asked_orders (
  order_ref bigint primary key references orders on delete cascade,
  connection_id text not null,
  state text not null,
  code text not null,           -- '': unconfirmed
  alike text not null,          -- what they are asked alike, beside the code: the gateway and rates that have no setting, or what the service said
  currency text,
  total numeric,                -- what the customer paid or has to pay; null: not known
  made timestamptz,
  month text,                   -- of that instant, in Sofia
  is_unrecorded boolean not null,
  since timestamptz not null,
  kind bigint not null,         -- a hash of all texts here: counting by it takes half the time
  revision int not null         -- of the order
);
create index asked_orders_alike on asked_orders (connection_id, code, alike, order_ref);

create function what_is_asked(code text, detail text) returns text language sql immutable as $$
  select left(case
    when code in ('payment.unmapped', 'vat.unmapped') then (select string_agg(found[1], ' ')
      from regexp_matches(detail, '(The payment method “[^”]*” has no type\\.|(?:T|t)he VAT rate [0-9.]+ % has no group\\.)', 'g') found)
    when code in ('compliance.refused', 'replacement.refused') then regexp_replace(detail, '[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]{4,}', '…', 'g')
  end, 300)
$$;

create function keep_asked_order() returns trigger language plpgsql set search_path from current as $$
declare
  made_at timestamptz;
  paid text := new.facts #>> '{snapshot,total}';
  paid_in text := new.facts #>> '{snapshot,currency}';
  code_asked text := case new.state when 'parked' then coalesce(new.parked_code, '') else '' end;
  asked_alike text := coalesce(case new.state when 'parked' then what_is_asked(new.parked_code, new.parked_detail) end, '');
  month_made text;
begin
  if new.state not in ('parked', 'unconfirmed') then
    delete from asked_orders where order_ref = new.id;
    return null;
  end if;
  begin
    made_at := (new.facts #>> '{snapshot,createdAt}')::timestamptz;
  exception when others then
    made_at := null;
  end;
  month_made := to_char(made_at at time zone 'Europe/Sofia', 'YYYY-MM');
  insert into asked_orders values (new.id, new.connection_id, new.state, code_asked, asked_alike, paid_in,
    case when paid ~ '^-?[0-9]{1,20}([.][0-9]{1,10})?$' then paid::numeric end, made_at, month_made, new.record is null, new.created_at,
    hashtextextended(jsonb_build_array(new.connection_id, new.state, code_asked, asked_alike, paid_in, month_made)::text, 0), new.revision)
  on conflict (order_ref) do update set (connection_id, state, code, alike, currency, total, made, month, is_unrecorded, kind, revision) = (excluded.connection_id,
    excluded.state, excluded.code, excluded.alike, excluded.currency, excluded.total, excluded.made, excluded.month, excluded.is_unrecorded, excluded.kind, excluded.revision);
  return null;
end $$;
create trigger asked_when_made after insert on orders for each row when (new.state in ('parked', 'unconfirmed')) execute function keep_asked_order();
create trigger asked_when_changed after update on orders for each row
  when (new.state in ('parked', 'unconfirmed') or old.state in ('parked', 'unconfirmed')) execute function keep_asked_order();
-- Those of now.
update orders set state = state where state in ('parked', 'unconfirmed');
`;
