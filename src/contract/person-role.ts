/** The roles of people in the console, the highest first; `check` of `people` in the ledger lists them, too. What each may do: operations/people/rights. */
export const PERSON_ROLES = ['owner', 'operator', 'accountant', 'viewer'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];
