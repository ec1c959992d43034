import { expect, test } from 'vitest';
import { checkProvider } from '../../../src/cli/doctor/check-up.ts';
import { IdentityProvider } from '../../../src/platform/oidc/identity-provider.ts';
import { OIDC_CLIENT, startOidcIssuer } from '../../support/servers/oidc-issuer.ts';

test('doctor says whether the identity provider answers, and is the one that is meant', async () => {
  const redirectUri = 'https://console.example/console/oidc/callback';
  const issuer = await startOidcIssuer({ redirectUri });
  const finding = async (url: string) =>
    (await checkProvider(new IdentityProvider({ issuer: url, clientId: OIDC_CLIENT.id, clientSecret: OIDC_CLIENT.secret, redirectUri, wanted: [] })))[0];

  expect(await finding(issuer.url)).toMatchObject({ what: 'sign-in', result: 'ok', words: expect.stringContaining('answers') });
  expect(await finding(issuer.url.replace('127.0.0.1', 'localhost'))).toMatchObject({
    result: 'wrong',
    words: expect.stringContaining('does not fit OIDC_ISSUER'),
  });
  await issuer[Symbol.asyncDispose]();
  expect(await finding(issuer.url)).toMatchObject({
    result: 'wrong',
    words: expect.stringMatching(/does not answer \((ECONNREFUSED|UND_ERR_SOCKET)\); people with a password/),
  });
  expect(await checkProvider(null)).toEqual([]);
});
