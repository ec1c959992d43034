-- Is the file of a month out of reach: its term is over (p_first_open is the first month in term), or a person marked it as filed?
create or replace function compliance.is_closed(p_shop uuid, p_month date, p_first_open date) returns boolean language sql stable
  return p_month < p_first_open or exists (select from compliance.audit_months m where m.shop_id = p_shop and m.month = p_month and m.state = 'filed');
