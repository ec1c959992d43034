import { z } from 'zod';
import { oidcRoles } from './oidc-roles.ts';
import { describe, issuerAddress, secret, secretText } from './variable-forms.ts';

/** How people sign in with an identity provider. */
export const oidcVariables = {
  OIDC_ISSUER: issuerAddress()
    .optional()
    .meta(
      describe(
        'Identity provider by which people sign in to `/console` (OpenID Connect), as it names itself. Needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES, and CONSOLE_PUBLIC_URL or PUBLIC_URL; the provider must know their `/console/oidc/callback`.',
      ),
    ),
  OIDC_CLIENT_ID: z.string().optional().meta(describe('Id of the client that was made for orderbridge there.')),
  OIDC_CLIENT_SECRET: secretText.optional().meta(secret('Secret of that client.')),
  OIDC_ROLE_CLAIM: z
    .string()
    .default('groups')
    .meta(describe('What the provider tells of a person by which the role follows: text, or a list of it; dots lead inwards (`realm_access.roles`).')),
  OIDC_ROLES: oidcRoles()
    .optional()
    .meta(
      describe(
        'Which role such a value gives, with commas between: `owner=ops-admins,operator=ops,accountant=books,viewer=staff`. Of several the highest counts; whoever has none has no access.',
      ),
    ),
} as const;
