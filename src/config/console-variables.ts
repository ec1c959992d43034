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
  CONNECT: oneOf(['invited', 'open'])
    .default('invited')
    .meta(
      describe(
        'Who may connect a store by the pages at `/connect`, which are served with the console and left out by CONSOLE=off: `invited` by a link (`orderbridge invite`), or `open`: everybody, a few a time from one address.',
      ),
    ),
  ...oidcVariables,
};
