import { PERSON_ROLES, type PersonRole } from '../../../operations/people/rights.ts';
import type { Form } from '../../base/page.ts';
import type { Words } from '../../words/words.ts';

/** `problem`: why role and shops do not go together. */
export type RoleGiven = { role: PersonRole; shops: string[] | null; problem: string | undefined };

/** Role and shops as a form says them; a role that there is none of is the least. */
export function roleGiven(form: Form, { people }: Words): RoleGiven {
  const role = PERSON_ROLES.find((one) => one === form.text('role')) ?? 'viewer';
  const shops = form.text('scope') === 'some' ? [...new Set(form.all('shop'))].sort() : null;
  if (shops === null) return { role, shops, problem: undefined };
  if (role !== 'accountant') return { role, shops, problem: people.shopsOnlyAccountant };
  return { role, shops, problem: shops.length === 0 ? people.shopsMissing : undefined };
}
