import { expect, test } from 'vitest';
import { askOutside } from '../../../src/operations/health/checks/network.ts';
import { IdentityProvider } from '../../../src/platform/oidc/identity-provider.ts';
import { outsideWith } from '../../support/samples/outside.ts';
import { OIDC_CLIENT, startOidcIssuer } from '../../support/servers/oidc-issuer.ts';

test('whether the identity provider answers, and is the one that is meant, is a check of the network', async () => {
  const redirectUri = 'https://console.example/console/oidc/callback';
  const issuer = await startOidcIssuer({ redirectUri });
  const found = async (url: string) => {
    const provider = new IdentityProvider({ issuer: url, clientId: OIDC_CLIENT.id, clientSecret: OIDC_CLIENT.secret, redirectUri, wanted: [] });
    return (await askOutside(outsideWith({ provider }))).filter((one) => 'code' in one || one.what === 'sign-in');
  };

  expect(await found(issuer.url)).toEqual([{ what: 'sign-in', words: expect.stringContaining('answers') }]);
  expect(await found(issuer.url.replace('127.0.0.1', 'localhost'))).toMatchObject([
    { code: 'provider.down', level: 'attention', words: expect.stringContaining('does not fit OIDC_ISSUER') },
  ]);
  await issuer[Symbol.asyncDispose]();
  expect(await found(issuer.url)).toMatchObject([
    { code: 'provider.down', words: expect.stringMatching(/does not answer \((ECONNREFUSED|UND_ERR_SOCKET)\); people with a password/) },
  ]);
  expect((await askOutside(outsideWith({}))).filter((one) => 'code' in one)).toEqual([]);
});
