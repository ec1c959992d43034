import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROLES } from '../../src/config/config.ts';
import { environment } from '../../src/config/environment.ts';
import { loadConfig } from '../../src/config/load-config.ts';

const repository = join(import.meta.dirname, '../..');

const compose = readFileSync(join(repository, 'docker-compose.yml'), 'utf8');
const { services } = z
  .object({ services: z.record(z.string(), z.looseObject({ environment: z.record(z.string(), z.string().nullable()).optional() })) })
  .parse(parse(compose, { merge: true }));
const OURS = ['migrate', 'receiver', 'worker', 'console', 'compliance'];
const passedTo = (service: string) => services[service]?.environment ?? {};

/** What no service of the compose file is given. */
const NOT_PASSED = {
  PORT: 'the file publishes it',
  HOST: 'a container listens on all of its interfaces',
  DATA_DIR: 'the image has it, and nothing stays there',
  CONSOLE: 'the console is a service, which can be left out',
  CONSOLE_PORT: 'the console is alone on its port',
  CONNECT: 'there is one value',
  DATABASE_DIRECT_URL: 'there is no pooler',
  REDIS_CA: 'this Redis is called without TLS',
  COMPLIANCE_FAULTS: 'for trials alone',
  ALLOW_PRIVATE_ADDRESSES: 'for development alone',
};

test('the compose file passes every variable that the program knows, but those that mean nothing there, and no other', () => {
  const passed = new Set(OURS.flatMap((service) => Object.keys(passedTo(service))));

  expect([...passed].filter((name) => !(name in environment.shape))).toEqual([]);
  expect(Object.keys(environment.shape).filter((name) => !passed.has(name) && !(name in NOT_PASSED))).toEqual([]);
  expect(Object.keys(NOT_PASSED).filter((name) => !(name in environment.shape) || passed.has(name))).toEqual([]);
});

/** Puts variables in, as compose does: `${NAME:-else}`, which may have another one in it, or `${NAME:?what is missing}`. */
function filledIn(text: string, env: Readonly<Record<string, string>>): string {
  const filled = text.replace(/\$\{(\w+)(?::[-?]([^${}]*))?\}/g, (_all, name: string, or = '') => env[name] || or);
  return filled === text ? text : filledIn(filled, env);
}

const FIRST_LINES = {
  ENCRYPTION_KEYS: 'ab'.repeat(32),
  POSTGRES_PASSWORD: 'p',
  POSTGRES_OWNER_PASSWORD: 'o',
  POSTGRES_ADMIN_PASSWORD: 'a',
  SMTP_URL: 'smtps://u:p@mail.example',
};

/** What a service's program makes of the .env file beside the compose file. */
function configOf(service: string, env: Readonly<Record<string, string>>) {
  const given = Object.entries(passedTo(service)).map(([name, value]) => [name, value === null ? env[name] : filledIn(value, env)] as const);
  const role = ROLES.find((one) => one === service) ?? 'all';
  return loadConfig(Object.fromEntries(given), { role, cwd: '/' });
}

test.for(OURS)('after the first lines of the compose file %s starts, and records at its compliance service as that wants it', (service) => {
  const bundled = {
    baseUrl: 'http://compliance:3000',
    dialect: { amounts: 'decimal', vatRate: 'percent', idempotencyKey: 'supported' },
    extensions: { forgetsBuyers: 'supported', delivered: 'supported' },
  };

  expect(configOf(service, FIRST_LINES)).toMatchObject({
    ok: true,
    config: { trustedHttpHosts: ['compliance'], compliance: service === 'compliance' ? { kind: 'embedded' } : bundled },
  });
});

test('in the compose file the compliance service has the address for links in its mails', () => {
  const links = (env: Readonly<Record<string, string>>) => configOf('compliance', { ...FIRST_LINES, PUBLIC_URL: 'https://orders.example', ...env });

  expect(links({})).toMatchObject({ config: { servicePublicUrl: 'https://orders.example' } });
  expect(links({ SERVICE_PUBLIC_URL: 'https://tax.example' })).toMatchObject({ config: { servicePublicUrl: 'https://tax.example' } });
});

test('in the compose file a month’s file is made alike wherever somebody has it made', () => {
  const rates = { BNB_RATES_URL: 'https://rates.example/now', BNB_RATES_DAY_URL: 'https://rates.example/{date}' };
  const given = { ...FIRST_LINES, ...rates, ACCOUNTING_CURRENCY: 'EUR', REPLACEMENT_WAIT_MINUTES: '60', SERVICE_PUBLIC_URL: 'https://books.example' };

  for (const service of OURS) {
    const made = { accountingCurrency: 'EUR', replacementWaitMinutes: 60, servicePublicUrl: 'https://books.example' };
    const fetched = { bnbRatesUrl: rates.BNB_RATES_URL, bnbRatesDayUrl: rates.BNB_RATES_DAY_URL };
    expect(configOf(service, given), service).toMatchObject({ ok: true, config: { ...made, ...fetched } });
  }
});

test('with another compliance service the compose file says nothing of how that takes orders', () => {
  const real = { ...FIRST_LINES, COMPLIANCE_API_URL: 'https://api.example', TRUSTED_HTTP_HOSTS: 'relay' };
  const said = { COMPLIANCE_AMOUNTS: 'minor', COMPLIANCE_IDEMPOTENCY_KEY: 'ignored', COMPLIANCE_FORGETS_BUYERS: 'no', COMPLIANCE_DELIVERED: 'no' };

  for (const missing of Object.keys(said)) {
    const { [missing]: _left, ...others }: Record<string, string> = said;
    expect(configOf('worker', { ...real, ...others })).toEqual({ ok: false, problems: [expect.stringMatching(new RegExp(`^${missing} must be one of `))] });
  }
  expect(configOf('worker', { ...real, ...said })).toMatchObject({
    ok: true,
    config: { compliance: { dialect: { amounts: 'minor', idempotencyKey: 'ignored' } }, trustedHttpHosts: ['compliance', 'relay'] },
  });
});

test('in the compose file the owner of the tables and the program are two roles, of which neither is superuser', () => {
  const roles = [...compose.matchAll(/postgres:\/\/(\w+):/g)].map(([, role]) => role);
  const [, superuser = ''] = /POSTGRES_USER: (\w+)/.exec(compose) ?? [];
  const made = [...compose.matchAll(/create role (\w+) login password '\$\{(\w+)\}';$/gm)].map(([, role]) => role);

  expect(roles.toSorted()).toEqual(['orderbridge', 'orderbridge_owner']);
  expect(made.toSorted()).toEqual(roles.toSorted());
  expect(roles).not.toContain(superuser);
  expect(compose).toContain('alter database orderbridge owner to orderbridge_owner;');
});

test('the image holds no secret and no development dependency', () => {
  const dockerfile = readFileSync(join(repository, 'Dockerfile'), 'utf8');

  expect(dockerfile).toContain('--omit=dev');
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).not.toMatch(/^(ARG|ENV) .*(KEY|SECRET|TOKEN|PASSWORD)/m);
});
