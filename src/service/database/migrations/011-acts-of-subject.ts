/** What was done to a month is on its page. */
export const actsOfSubject = `
create index acts_of_subject on compliance.acts (subject, id) where subject is not null;
`;
