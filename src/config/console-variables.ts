import { z } from 'zod';
import { oidcVariables } from './oidc-variables.ts';
import { describe, number, oneOf, webAddress } from './variable-forms.ts';

/** Where people and merchants find their pages, and whom they let in. */
export const consoleVariables = {
  CONSOLE: oneOf(['on', 'off'])
    .default('on')
    .meta(describe('`off` leaves the pages at `/console`, and those of merchants at `/connect`, out of roles `all` and `console`.')),
  CONSOLE_PORT: number({ min: 0, max: 65_535, whole: true })
    .optional()
    .meta(describe('Port of its own for `/console`, at the same HOST; if unset, it is on PORT.')),
  CONSOLE_PUBLIC_URL: webAddress()
    .optional()
    .meta(
      describe('Address under which people reach `/console`, for links and sessions; PUBLIC_URL if unset. Needed for mailed links if CONSOLE_PORT is set.'),
    ),
  CONNECT: z
    .literal(
      'invited',
      'must be invited, or left out: `open` is gone; merchants come by a link (`orderbridge invite`), or by an app that they approve at their store',
    )
    .optional()
    .meta(
      describe(
        'Who may connect a store by the pages at `/connect`: merchants who are `invited`, or who approve an app at their store. There is no other value.',
      ),
    ),
  ...oidcVariables,
};
