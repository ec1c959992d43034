/** Stores whose webhooks are taken and kept before anything is submitted. */
export const trial = `
alter table connections add column trial_since timestamptz;      -- null: it records
alter table connections add column recorded_until timestamptz;   -- disconnected then, and on trial since it came back; null: it never recorded
`;
