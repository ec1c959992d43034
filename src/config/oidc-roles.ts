import { z } from 'zod';
import { PERSON_ROLES, type PersonRole } from '../contract/person-role.ts';
import { separate } from './variable-forms.ts';

/** Anyone who has this value has this role. */
export type OidcRole = { role: PersonRole; value: string };

/** The form of OIDC_ROLES. */
export function oidcRoles() {
  return z.string().transform((text, context): OidcRole[] => {
    const pairs = separate(text).map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
      return { role: PERSON_ROLES.find((role) => role === name.trim()), value: value.trim() };
    });
    const given = pairs.flatMap(({ role, value }) => (role === undefined || value === '' ? [] : [{ role, value }]));
    if (given.length === 0 || given.length < pairs.length) {
      const form = 'owner=VALUE,operator=VALUE';
      context.addIssue({ code: 'custom', message: `must be ${form}, with the roles ${PERSON_ROLES.join(', ')} and values that your identity provider knows` });
      return z.NEVER;
    }
    return given.toSorted((a, b) => PERSON_ROLES.indexOf(a.role) - PERSON_ROLES.indexOf(b.role));
  });
}
