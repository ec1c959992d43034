/** What people say of a month: the number and the day under which its file was filed, the agency's words, and that there is nothing to file. */
export const months = `
-- filed_on: the day that a person named, else that of filed_at. nothing: {note, who, at, orders, seen}, of an empty month that is settled with the
-- accountant; so many orders, all left out of its file, were known at that time of the database.
alter table compliance.audit_months
  drop constraint audit_months_state_check,
  add constraint audit_months_state_check check (state in ('open', 'generated', 'filed', 'rejected', 'nothing')),
  add incoming_number text,
  add filed_on date,
  add rejected_words text,
  add nothing jsonb;
`;
