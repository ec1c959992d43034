import { describe, expect, test } from 'vitest';
import type { Config } from '../../../src/config/config.ts';
import { loadConfig } from '../../../src/config/load-config.ts';

const read = (env: Record<string, string>) => loadConfig(env, { role: 'all', cwd: '/srv' });

function load(env: Record<string, string>): Config {
  const loaded = read(env);
  if (!loaded.ok) throw new Error(loaded.problems.join());
  return loaded.config;
}

function problems(env: Record<string, string>): string[] {
  const loaded = read(env);
  return loaded.ok ? [] : loaded.problems;
}

describe('an identity provider', () => {
  const OIDC = {
    OIDC_ISSUER: 'https://login.example/realms/shop/',
    OIDC_CLIENT_ID: 'orderbridge',
    OIDC_CLIENT_SECRET: 's3',
    OIDC_ROLES: 'operator=ops, owner=ops-admins',
  };

  test('all of it, the highest role first', () => {
    const { oidc } = load({ ...OIDC, PUBLIC_URL: 'https://shop.example' });
    expect(oidc).toMatchObject({ issuer: OIDC.OIDC_ISSUER, clientId: 'orderbridge', roleClaim: 'groups' });
    expect(oidc?.roles).toEqual([
      { role: 'owner', value: 'ops-admins' },
      { role: 'operator', value: 'ops' },
    ]);
    expect(JSON.stringify(oidc)).not.toContain('s3');
    expect(load({}).oidc).toBeNull();
  });

  test.for(Object.keys(OIDC))('half of it is none: without %s it does not start', (name) => {
    const { [name as keyof typeof OIDC]: _left, ...rest } = OIDC;
    expect(problems({ ...rest, PUBLIC_URL: 'https://shop.example' })).toEqual([expect.stringMatching(new RegExp(`^${name} must be set with OIDC_`))]);
  });

  test('it needs the address to which people are sent back', () => {
    expect(problems(OIDC)).toEqual([expect.stringMatching(/^PUBLIC_URL or CONSOLE_PUBLIC_URL must be set with OIDC_ISSUER/)]);
    expect(problems({ ...OIDC, PUBLIC_URL: 'https://a.example', CONSOLE_PORT: '3001' })).toEqual([expect.stringMatching(/^CONSOLE_PUBLIC_URL must be set/)]);
    expect(problems({ ...OIDC, CONSOLE_PUBLIC_URL: 'https://a.example', CONSOLE_PORT: '3001' })).toEqual([]);
  });

  test.for([
    ['OIDC_ISSUER', 'http://login.example'],
    ['OIDC_ISSUER', 'http://127.0.0.1.evil.example'],
    ['OIDC_ISSUER', 'https://u@login.example'],
    ['OIDC_ISSUER', 'https://login.example?x'],
    ['OIDC_ROLES', 'admin=ops'],
    ['OIDC_ROLES', 'owner'],
    ['OIDC_ROLES', 'owner='],
    ['OIDC_ROLES', ','],
    ['OIDC_ROLES', 'owner=a,boss=b'],
  ] as const)('%s can’t be %s', ([name, value]) => {
    expect(problems({ ...OIDC, PUBLIC_URL: 'https://shop.example', [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must be`))]);
  });

  test.for(['http://localhost:8080/realms/x', 'http://127.0.0.1:9000', 'http://[::1]:9000'])('on this machine it may be %s', (issuer) => {
    expect(problems({ ...OIDC, PUBLIC_URL: 'https://shop.example', OIDC_ISSUER: issuer })).toEqual([]);
  });
});
