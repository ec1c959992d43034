import { rootCertificates } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { describeEnvironment } from '../../../src/config/environment.ts';
import { loadConfig } from '../../../src/config/load-config.ts';

const place = { role: 'all', cwd: '/srv' } as const;
const KEY = 'ab'.repeat(32);
const [CA = '', OTHER_CA = ''] = rootCertificates;
const remote = { COMPLIANCE_API_URL: 'https://api.example/', COMPLIANCE_AMOUNTS: 'minor' };

function load(env: Record<string, string | undefined>, role: 'all' | 'receiver' | 'worker' | 'compliance' = 'all') {
  const loaded = loadConfig(env, { ...place, role });
  if (!loaded.ok) throw new Error(loaded.problems.join('\n'));
  return loaded.config;
}

function problems(env: Record<string, string | undefined>, role: 'all' | 'receiver' | 'worker' | 'compliance' = 'all'): string[] {
  const loaded = loadConfig(env, { ...place, role });
  return loaded.ok ? [] : loaded.problems;
}

test('proxies that Express would not take are refused with the other problems', () => {
  for (const value of ['true', '1', 'proxy.example', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8'])
    expect(problems({ TRUST_PROXY: value, PORT: 'x' }), value).toEqual([
      expect.stringContaining('PORT'),
      expect.stringContaining('TRUST_PROXY must be addresses'),
    ]);
  expect(load({ TRUST_PROXY: 'Loopback, 10.0.0.0/8,fc00::/7 , ::1' }).trustProxy).toEqual(['loopback', '10.0.0.0/8', 'fc00::/7', '::1']);
});

test('nothing set gives the embedded defaults', () => {
  expect(load({})).toMatchObject({
    port: 3000,
    dataDir: '/srv/data',
    database: { kind: 'embedded' },
    queue: { kind: 'postgres' },
    compliance: { kind: 'embedded' },
    encryptionKeys: null,
    quietSeconds: 5,
    allowPrivateAddresses: false,
    timeouts: { connectMs: 5_000, headersMs: 20_000, totalMs: 20_000 },
  });
});

test('an empty value counts as unset', () => {
  expect(load({ PORT: '', DATABASE_URL: ' ', COMPLIANCE_API_URL: '' })).toEqual(load({}));
});

test.each([
  ['with the embedded database alone, only this machine', {}, '127.0.0.1'],
  ['with a PUBLIC_URL, all interfaces', { PUBLIC_URL: 'https://shop.example' }, null],
  ['with a database of its own, all interfaces', { DATABASE_URL: 'postgres://db/x', ENCRYPTION_KEYS: KEY }, null],
  ['HOST before either', { HOST: '::1', PUBLIC_URL: 'https://shop.example' }, '::1'],
])('finding 9: it listens %s', (_what, env, host) => {
  expect(load(env).host).toBe(host);
});

test.each([
  ['reached from this machine alone', {}, 'optional'],
  ['that listens beyond it', { HOST: '0.0.0.0' }, 'required'],
  ['with a PUBLIC_URL', { HOST: '127.0.0.1', PUBLIC_URL: 'https://shop.example' }, 'required'],
  ['with a CONSOLE_PUBLIC_URL', { HOST: '127.0.0.1', CONSOLE_PORT: '3001', CONSOLE_PUBLIC_URL: 'https://console.example' }, 'required'],
  ['whose operator says so', { PUBLIC_URL: 'https://shop.example', SECOND_FACTOR: 'optional' }, 'optional'],
])('a second step at a program %s is as expected', (_what, env, secondFactor) => {
  expect(load(env).secondFactor).toBe(secondFactor);
});

test('unknown variables are ignored', () => {
  expect(load({ PATH: '/bin', npm_config_x: 'y' })).toEqual(load({}));
});

test('every backend set', () => {
  const config = load(
    { DATABASE_URL: 'postgres://u:p@db/x', REDIS_URL: 'rediss://r:1', ENCRYPTION_KEYS: KEY, ...remote, COMPLIANCE_API_KEY: 'k', COMPLIANCE_API_SECRET: 's' },
    'worker',
  );

  expect(config.database.kind === 'external' && config.database.url.reveal()).toBe('postgres://u:p@db/x');
  expect(config.queue.kind).toBe('redis');
  expect(config.encryptionKeys?.reveal()).toBe(KEY);
  expect(config.compliance).toMatchObject({
    kind: 'remote',
    baseUrl: 'https://api.example',
    apiKey: 'k',
    dialect: {
      signatureAlgorithm: 'sha256',
      signatureEncoding: 'hex',
      signatureEmptyBody: 'empty-string',
      amounts: 'minor',
      vatRate: 'percent',
      idempotencyKey: 'ignored',
    },
  });
});

test('connecting gets no more than the whole call', () => {
  expect(load({ COMPLIANCE_TIMEOUT_SECONDS: '2.5' }).timeouts).toEqual({ connectMs: 2_500, headersMs: 2_500, totalMs: 2_500 });
});

test('the path of the interface is no part of the service’s address', () => {
  for (const path of ['/public-api', '/public-api/', '/base/public-api/v1'])
    expect(problems({ ...remote, COMPLIANCE_API_URL: `https://api.example${path}` }), path).toEqual([
      expect.stringMatching(/^COMPLIANCE_API_URL must be .*without \/public-api/),
    ]);
  expect(load({ ...remote, COMPLIANCE_API_URL: 'https://api.example/public-api-1/' }).compliance).toMatchObject({
    baseUrl: 'https://api.example/public-api-1',
  });
});

test('all problems are reported together, each naming its variable', () => {
  const told = problems({ PORT: 'x', LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://h/d', COMPLIANCE_API_URL: 'ftp://x', COMPLIANCE_API_KEY: 'k' });

  expect(told.map((problem) => problem.split(' ')[0])).toEqual([
    'PORT',
    'DATABASE_URL',
    'COMPLIANCE_API_URL',
    'LOG_LEVEL',
    'ENCRYPTION_KEYS',
    'COMPLIANCE_AMOUNTS',
    'COMPLIANCE_API_SECRET',
  ]);
});

test('no value is repeated, for it may be a secret in the wrong place', () => {
  const names = describeEnvironment().map(({ name }) => name);

  const told = problems(Object.fromEntries(names.map((name) => [name, 'hunter2?'])), 'worker');

  expect(told.length).toBeGreaterThan(15);
  expect(told.join('\n')).not.toContain('hunter2');
});

describe('one variable requires another', () => {
  test.for([
    ['ENCRYPTION_KEYS', { DATABASE_URL: 'postgres://db/x' }],
    ['COMPLIANCE_AMOUNTS', { COMPLIANCE_API_URL: 'https://api.example' }],
    ['COMPLIANCE_API_SECRET', { ...remote, COMPLIANCE_API_KEY: 'k' }],
    ['COMPLIANCE_API_KEY', { ...remote, COMPLIANCE_API_SECRET: 's' }],
    ['COMPLIANCE_API_URL', { COMPLIANCE_API_KEY: 'k', COMPLIANCE_API_SECRET: 's' }],
  ] as const)('%s', ([missing, env]) => {
    expect(problems(env)).toEqual([expect.stringMatching(new RegExp(`^${missing} must be set`))]);
  });

  test.for(['receiver', 'worker', 'compliance'] as const)('role %s needs DATABASE_URL', (role) => {
    expect(problems(remote, role)).toEqual([`DATABASE_URL must be set for role ${role}: only role all may use the embedded PostgreSQL`]);
  });
});

test.for([
  ['PORT', ['0', '65535'], ['-1', '65536', '3.5', '0x10', '1e3']],
  ['QUIET_SECONDS', ['0', '0.5', '3600'], ['3601', '-1', 'NaN']],
  ['STOP_DELAY_SECONDS', ['0', '300'], ['301', '-1']],
  ['CONCURRENCY', ['1', '1000'], ['0', '1001', '2.5']],
  // A process that makes three months’ files at once takes nine.
  ['DATABASE_CONNECTIONS', ['12', '1000'], ['4', '11', '1001']],
  ['LEASE_SECONDS', ['0.1', '30'], ['0', '3601']],
  ['ALLOW_PRIVATE_ADDRESSES', ['true', 'false', '1', '0'], ['yes', 'TRUE']],
  ['KEEP_BODIES_MB', ['1', '1000000'], ['0', '1.3', '1000001']],
  ['PUBLIC_URL', ['https://a.example', 'HTTP://a.example/base/', 'https://a.example\n'], ['a.example', 'https://u:p@a.example', 'https://a.example?x=1']],
  [
    'TRUSTED_HTTP_HOSTS',
    ['compliance', 'a.example, B.example,', '[2001:db8::1],2001:db8::2'],
    ['compliance:3000', 'http://a', 'a b', '[2001:db8::1]:3000', 'a/b'],
  ],
  [
    'ENCRYPTION_KEYS',
    [KEY, Buffer.alloc(32, 7).toString('base64'), Buffer.alloc(32, 7).toString('base64url'), `${KEY},${KEY}`, `${KEY}\n${KEY}\n`],
    ['ab', KEY.slice(1), 'hunter2', ',', `${KEY},`.slice(0, -2), `${KEY},${KEY.slice(1)}`, `${KEY}${KEY}`],
  ],
] as const)('%s takes what is in range and nothing else', ([name, right, wrong]) => {
  for (const value of right) expect(problems({ [name]: value })).toEqual([]);
  for (const value of wrong) expect(problems({ [name]: value })).toEqual([expect.stringMatching(new RegExp(`^${name} must be`))]);
});

test('an address has no white space, and its slashes', () => {
  const names = describeEnvironment().flatMap(({ name }) => (/_(URL|ISSUER)$/.test(name) ? [name] : []));
  const schemes = { DATABASE_URL: 'postgres', DATABASE_DIRECT_URL: 'postgres', REDIS_URL: 'redis', SMTP_URL: 'smtp' } as Record<string, string>;
  expect(names.length).toBeGreaterThan(12);
  for (const name of names)
    for (const rest of ['a.example', '//a.example ', ' //a.example', '//a.exa mple', '//a.example/\tb']) {
      const told = problems({ [name]: `${schemes[name] ?? 'https'}:${rest}` }).filter((problem) => problem.startsWith(`${name} must be`));
      expect(told.length, `${name} ${rest}`).toBeGreaterThan(0);
    }
});

test('a line end at the end of a value is no part of it, as in a file', () => {
  const { adminToken, compliance, dataDir } = load({
    ...remote,
    COMPLIANCE_API_KEY: 'k\n',
    COMPLIANCE_API_SECRET: 's \r\n',
    ADMIN_TOKEN: 't\n\n',
    DATA_DIR: 'x\n',
  });

  expect(compliance).toMatchObject({ apiKey: 'k' });
  expect([adminToken, compliance.kind === 'remote' ? compliance.apiSecret : null].map((one) => one?.reveal())).toEqual(['t\n', 's ']);
  expect(dataDir).toBe('/srv/x');
});

test('REDIS_CA is certificates that can be read, with line ends or “\\n” between their lines', () => {
  const given = (ca: string) => loadConfig({ REDIS_URL: 'redis://r:1', REDIS_CA: ca }, place);
  const oneLine = (pem: string) => pem.replaceAll('\n', String.raw`\n`);
  const both = `# ours\n${CA}\n${OTHER_CA}`;
  for (const right of [CA, both, `${CA.replaceAll('\n', '\r\n')}\r\n`]) {
    const loaded = given(right);
    expect(loaded.ok && loaded.config.queue.kind === 'redis' && loaded.config.queue.ca?.reveal()).toBe(right.replace(/\r\n$/, ''));
  }
  const loaded = given(oneLine(both));
  expect(loaded.ok && loaded.config.queue.kind === 'redis' && loaded.config.queue.ca?.reveal()).toBe(both);

  const [header = '', ...lines] = CA.split('\n');
  const half = CA.slice(0, CA.length / 2);
  const wrong = [header, half, `${half}\n-----END CERTIFICATE-----`, [header, ...lines.slice(1)].join('\n'), `${CA}\n${half}`, `${half}\n${CA}`, CA.slice(1)];
  for (const ca of wrong) expect(given(ca), ca).toEqual({ ok: false, problems: ['REDIS_CA must be certificates in PEM, each whole'] });
});

test.for([
  [{}, 0],
  [{ HOST: '::1', ...remote }, 0],
  [{ PUBLIC_URL: 'https://a.example' }, 5],
  [{ HOST: '0.0.0.0' }, 5],
  [{ HOST: '127.0.0.1', STOP_DELAY_SECONDS: '2' }, 2],
] as const)('a balancer is waited for unless it listens on this machine alone: %j, %d s', ([env, seconds]) => {
  expect(loadConfig(env, place)).toMatchObject({ ok: true, config: { stopDelaySeconds: seconds } });
});

test('every variable is described, and defaults are what an empty environment gives', () => {
  const described = describeEnvironment();

  expect(described.filter(({ description }) => description === '')).toEqual([]);
  expect(described.find(({ name }) => name === 'PORT')).toMatchObject({ default: '3000', secret: false });
  expect(described.filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
    'OIDC_CLIENT_SECRET',
    'DATABASE_URL',
    'DATABASE_DIRECT_URL',
    'REDIS_URL',
    'REDIS_CA',
    'ENCRYPTION_KEYS',
    'COMPLIANCE_API_KEY',
    'COMPLIANCE_API_SECRET',
    'SMTP_URL',
    'ALERT_SLACK_URL',
    'ALERT_WEBHOOK_URL',
    'ALERT_WEBHOOK_SECRET',
    'HEARTBEAT_URL',
    'SHOPIFY_APP_SECRET',
    'ADMIN_TOKEN',
  ]);
});

test.each([
  [{}, 1],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }, 0.1],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }, 0.1],
])('with a collector and %o the share of traces that is kept is %d', (variables, share) => {
  expect(load(variables).traces).toBe(null);
  expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/', ...variables }).traces).toEqual({ url: 'http://collector:4318/v1/traces', share });
});

test('a share of traces is refused without a sampler that keeps a share', () => {
  for (const sampler of ['', 'always_on', 'parentbased_always_off'])
    expect(problems({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.1' }), sampler).toEqual([
      expect.stringMatching(/^OTEL_TRACES_SAMPLER must be traceidratio .* with OTEL_TRACES_SAMPLER_ARG/),
    ]);
});

test('the variables of our compliance service have defaults, and each can be set', () => {
  const none = loadConfig({}, place);
  expect(none).toMatchObject({
    ok: true,
    config: { accountingCurrency: null, replacementWaitMinutes: 15, mail: { smtpUrl: null, from: 'orderbridge@localhost' } },
  });
  expect(none.ok && none.config.bnbRatesUrl).toMatch(/^https:\/\/www\.bnb\.bg\//);

  const said = {
    ACCOUNTING_CURRENCY: 'EUR',
    BNB_RATES_URL: 'off',
    REPLACEMENT_WAIT_MINUTES: '0',
    SMTP_URL: 'smtps://a:b@mail.example',
    MAIL_FROM: 'Shop <a@shop.example>',
    MAIL_REPLY_TO: 'operator@shop.example',
  };
  const all = loadConfig(said, place);
  expect(all).toMatchObject({
    ok: true,
    config: {
      accountingCurrency: 'EUR',
      bnbRatesUrl: null,
      replacementWaitMinutes: 0,
      mail: { from: 'Shop <a@shop.example>', replyTo: 'operator@shop.example' },
    },
  });
  expect(JSON.stringify(all)).not.toContain('a:b@');
});

test.each([
  ['ACCOUNTING_CURRENCY', 'USD'],
  ['BNB_RATES_URL', 'ftp://bnb.bg'],
  ['REPLACEMENT_WAIT_MINUTES', '-1'],
  ['SMTP_URL', 'https://mail.example'],
  ['MAIL_FROM', 'nobody'],
  ['MAIL_REPLY_TO', 'Shop <a@shop.example>'],
  ['MAIL_REPLY_TO', 'a@shop.example, b@shop.example'],
  ['BNB_RATES_DAY_URL', 'https://mirror.example/newest'],
  ['BNB_RATES_DAY_URL', 'https://mirror.example/{DD}.{MM}'],
])('%s can’t be %s', (name, value) => {
  expect(loadConfig({ [name]: value }, place)).toEqual({ ok: false, problems: [expect.stringMatching(new RegExp(`^${name} must be `))] });
});

describe('where alerts go', () => {
  const SECRET = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

  test('nowhere, if nothing is set', () => {
    expect(load({}).alerts).toEqual({ mailTo: [], slackUrl: null, webhook: null, heartbeatUrl: null, digestAt: null });
  });

  test('to each that is set, private addresses among them', () => {
    const { alerts } = load({
      ALERT_MAIL_TO: 'Ops@corner.example, owner@corner.example,Ops@corner.example',
      ALERT_SLACK_URL: 'https://hooks.slack.com/services/T/B/x',
      ALERT_WEBHOOK_URL: 'http://10.0.0.5:8080/hook?key=1',
      ALERT_WEBHOOK_SECRET: SECRET,
      HEARTBEAT_URL: 'https://hc.example/ping/1',
      DIGEST_AT: '08:30',
    });

    expect(alerts?.mailTo).toEqual(['Ops@corner.example', 'owner@corner.example']);
    expect([
      alerts?.slackUrl?.reveal(),
      alerts?.webhook?.url.reveal(),
      alerts?.webhook?.secret.reveal(),
      alerts?.heartbeatUrl?.reveal(),
      alerts?.digestAt,
    ]).toEqual(['https://hooks.slack.com/services/T/B/x', 'http://10.0.0.5:8080/hook?key=1', SECRET, 'https://hc.example/ping/1', '08:30']);
    expect(JSON.stringify(alerts)).not.toContain('services');
  });

  test('what is wrong with them is said with the other problems, without the secrets', () => {
    const wrong = { ALERT_MAIL_TO: 'ops, owner@corner.example', ALERT_SLACK_URL: 'hooks.slack.com/SECRET', ALERT_WEBHOOK_SECRET: 'SECRET', DIGEST_AT: '8:30' };

    expect(problems({ ...wrong, PORT: 'x', HEARTBEAT_URL: 'ftp://SECRET' })).toEqual([
      expect.stringMatching(/^PORT /),
      'ALERT_MAIL_TO must be e-mail addresses, with commas between',
      'ALERT_SLACK_URL must be a URL that starts with http:// or https://, without white space',
      expect.stringMatching(/^ALERT_WEBHOOK_SECRET can’t be used\. The secret /),
      'HEARTBEAT_URL must be a URL that starts with http:// or https://, without white space',
      'DIGEST_AT must be a time such as 08:30',
      'ALERT_WEBHOOK_URL must be set with ALERT_WEBHOOK_SECRET',
    ]);
    expect(problems({ ALERT_WEBHOOK_URL: 'https://n8n.example/x' })).toEqual([
      expect.stringMatching(/^ALERT_WEBHOOK_SECRET must be set with ALERT_WEBHOOK_URL/),
    ]);
    expect(problems({ DIGEST_AT: '08:30' })).toEqual([expect.stringContaining('must be set with DIGEST_AT')]);
  });
});
