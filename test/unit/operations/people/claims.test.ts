import { describe, expect, test } from 'vitest';
import { addressOf, nameOf, roleOf } from '../../../../src/operations/people/sign-in.ts';

const roles = [
  { role: 'viewer', value: 'staff' },
  { role: 'owner', value: 'ops-admins' },
  { role: 'operator', value: 'ops' },
  { role: 'operator', value: 'night' },
] as const;
const rules = { roleClaim: 'groups', roles };

describe('the role', () => {
  test.for([
    [{ groups: ['staff', 'night'] }, 'operator'],
    [{ groups: ['ops', 'ops-admins', 'staff'] }, 'owner'],
    [{ groups: 'staff' }, 'viewer'],
    [{ groups: ['OPS', 'ops ', '/ops'] }, null],
    [{ groups: 'ops,ops-admins' }, null],
    [{ groups: { ops: true } }, null],
    [{ groups: [['ops']] }, null],
    [{ groups: null }, null],
    [{}, null],
  ] as const)('of %j is %s', ([claims, role]) => {
    expect(roleOf(claims, rules)).toBe(role);
  });

  test('a claim may be within another, or have dots in its name', () => {
    const nested = { ...rules, roleClaim: 'realm_access.roles' };
    expect(roleOf({ realm_access: { roles: ['ops'] } }, nested)).toBe('operator');
    expect(roleOf({ 'realm_access.roles': ['staff'], realm_access: { roles: ['ops'] } }, nested)).toBe('viewer');
    expect(roleOf({ realm_access: 'ops' }, nested)).toBeNull();
    expect(roleOf({}, { roleClaim: 'constructor.name', roles: [{ role: 'owner', value: 'Object' }] })).toBeNull();
  });
});

test('an address counts only if it is verified, and else leads nowhere', () => {
  const who = { issuer: 'https://login.example:8443/realms/x', subject: 'auth0|5 f@x' };
  expect(addressOf({ email: 'Maria@Shop.example', email_verified: true }, who)).toBe('Maria@Shop.example');
  for (const claims of [{ email: 'maria@shop.example' }, { email: 'maria@shop.example', email_verified: 'no' }, { email: 'a b', email_verified: true }, {}])
    expect(addressOf(claims, who)).toBe('auth0-5-f-x@login.example.invalid');
});

test('a name is text of some length', () => {
  expect(nameOf({ name: ` ${'Мария'.repeat(100)}` })).toHaveLength(200);
  expect(nameOf({ name: { given: 'x' } })).toBe('');
});
