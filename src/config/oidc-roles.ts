import { z } from 'zod';
import { separate } from './variable-forms.ts';

/** The roles of people in the console, the highest first. */
const ROLES = ['owner', 'operator', 'accountant', 'viewer'] as const;

/** Anyone who has this value has this role. */
export type OidcRole = { role: (typeof ROLES)[number]; value: string };

/** The form of OIDC_ROLES. */
export function oidcRoles() {
  return z.string().transform((text, context): OidcRole[] => {
    const pairs = separate(text).map((pair) => {
      const [, name = '', value = ''] = /^([^=]*)=(.*)$/.exec(pair) ?? [];
      return { role: ROLES.find((role) => role === name.trim()), value: value.trim() };
    });
    const given = pairs.flatMap(({ role, value }) => (role === undefined || value === '' ? [] : [{ role, value }]));
    if (given.length === 0 || given.length < pairs.length) {
      const form = 'owner=VALUE,operator=VALUE';
      context.addIssue({ code: 'custom', message: `must be ${form}, with the roles ${ROLES.join(', ')} and values that your identity provider knows` });
      return z.NEVER;
    }
    return given.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
  });
}
