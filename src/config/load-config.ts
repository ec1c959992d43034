import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { plainWords } from '../contract/plain-words.ts';
import { codeOf } from '../platform/error-words.ts';
import { type CliContext, CliError, EXIT_CONFIG } from '../platform/terminal/context.ts';
import type { AlertConfig, ComplianceConfig, Config, OidcConfig, Role } from './config.ts';
import { BNB_RATES_DAY_URL, BNB_RATES_URL, describeEnvironment, type Environment, environment } from './environment.ts';
import { Secret } from './secret.ts';
import { listed, separate } from './variable-forms.ts';

type Variables = Record<string, string | undefined>;
type Place = {
  role: Role;
  /** The base of a relative DATA_DIR. */
  cwd: string;
};

/** `problems` are sentences for the user; none holds the value of a variable. */
type LoadedConfig = { ok: true; config: Config } | { ok: false; problems: string[] };

const CONNECT_SECONDS = 5;

/** Makes the configuration from environment variables. An empty one counts as unset, a line end at the end of one is left out; all problems are reported together. */
export function loadConfig(env: Variables, { role, cwd }: Place): LoadedConfig {
  const set = Object.fromEntries(Object.entries(env).flatMap(([name, value = '']) => (isSet(value) ? [[name, value.replace(/\r?\n$/, '')]] : [])));
  // Read once: zod would take longer to compile a reader than to read.
  const parsed = environment.safeParse(set, { error: plainWords, jitless: true });
  const contradictions = findContradictions(set, role);
  if (parsed.success && contradictions.length === 0) return { ok: true, config: { ...toConfig(parsed.data, cwd), given: givenOf(set) } };
  const invalid = (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`);
  return { ok: false, problems: [...invalid, ...contradictions] };
}

function givenOf(set: Variables): Record<string, Secret> {
  const names = Object.keys(environment.shape);
  return Object.fromEntries(names.flatMap((name) => (set[name] === undefined ? [] : [[name, new Secret(set[name])]])));
}

/** Variables that are fine alone, but not together or for the role. */
function findContradictions(variables: Variables, role: Role): string[] {
  const set = new Set(Object.keys(variables));
  const key = set.has('COMPLIANCE_API_KEY');
  const secret = set.has('COMPLIANCE_API_SECRET');
  const api = set.has('COMPLIANCE_API_URL');
  const database = set.has('DATABASE_URL');
  const rules: [broken: boolean, problem: string][] = [
    [
      database && !set.has('ENCRYPTION_KEYS'),
      'ENCRYPTION_KEYS must be set with DATABASE_URL (`openssl rand -hex 32` makes one; keep it, stored secrets depend on it)',
    ],
    [role !== 'all' && !database, `DATABASE_URL must be set for role ${role}: only role all may use the embedded PostgreSQL`],
    [set.has('DATABASE_DIRECT_URL') && !database, 'DATABASE_URL must be set with DATABASE_DIRECT_URL: it is that of the pooler'],
    [set.has('REDIS_CA') && !set.has('REDIS_URL'), 'REDIS_URL must be set with REDIS_CA'],
    [role === 'worker' && !api, 'COMPLIANCE_API_URL must be set for role worker: the embedded compliance service runs in role all or compliance'],
    [api && !set.has('COMPLIANCE_AMOUNTS'), 'COMPLIANCE_AMOUNTS must be set with COMPLIANCE_API_URL: decimal (12.9) or minor (1290); wrong is a factor of 100'],
    [key && !secret, 'COMPLIANCE_API_SECRET must be set with COMPLIANCE_API_KEY'],
    [secret && !key, 'COMPLIANCE_API_KEY must be set with COMPLIANCE_API_SECRET'],
    [(key || secret) && !api, 'COMPLIANCE_API_URL must be set with COMPLIANCE_API_KEY and COMPLIANCE_API_SECRET; unset all three for the embedded service'],
    [
      set.has('ALERT_WEBHOOK_URL') && !set.has('ALERT_WEBHOOK_SECRET'),
      'ALERT_WEBHOOK_SECRET must be set with ALERT_WEBHOOK_URL (`echo "whsec_$(openssl rand -base64 32)"` makes one)',
    ],
    [set.has('ALERT_WEBHOOK_SECRET') && !set.has('ALERT_WEBHOOK_URL'), 'ALERT_WEBHOOK_URL must be set with ALERT_WEBHOOK_SECRET'],
    [
      set.has('OTEL_TRACES_SAMPLER_ARG') && variables['OTEL_TRACES_SAMPLER']?.endsWith('ratio') !== true,
      'OTEL_TRACES_SAMPLER must be traceidratio or parentbased_traceidratio with OTEL_TRACES_SAMPLER_ARG: only these keep a share of traces',
    ],
    [
      set.has('DIGEST_AT') && !['ALERT_MAIL_TO', 'ALERT_SLACK_URL', 'ALERT_WEBHOOK_URL'].some((name) => set.has(name)),
      'ALERT_MAIL_TO, ALERT_SLACK_URL or ALERT_WEBHOOK_URL must be set with DIGEST_AT: it says where the summary goes',
    ],
    ...oidcContradictions(set),
  ];
  return rules.filter(([broken]) => broken).map(([, problem]) => problem);
}

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_ROLES'] as const;

/** Half of it would let nobody in. */
function oidcContradictions(set: ReadonlySet<string>): [broken: boolean, problem: string][] {
  const given = OIDC.filter((name) => set.has(name));
  const isWanted = given.length > 0;
  const address = set.has('CONSOLE_PORT') ? 'CONSOLE_PUBLIC_URL' : 'PUBLIC_URL or CONSOLE_PUBLIC_URL';
  const isReached = set.has('CONSOLE_PUBLIC_URL') || (set.has('PUBLIC_URL') && !set.has('CONSOLE_PORT'));
  return [
    ...OIDC.map((name): [boolean, string] => [
      isWanted && !set.has(name),
      `${name} must be set with ${given.join(', ')}${name === 'OIDC_ROLES' ? ': owner=VALUE,operator=VALUE says who may what' : ''}`,
    ]),
    [isWanted && !isReached, `${address} must be set with ${given.join(', ')}: the identity provider sends people back there`],
  ];
}

/** No balancer is between. */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);
/** Two looks of a balancer. */
const STOP_DELAY_SECONDS = 5;

function toListening({ HOST, DATABASE_URL, PUBLIC_URL, STOP_DELAY_SECONDS: given }: Environment): Pick<Config, 'host' | 'stopDelaySeconds'> {
  const host = HOST ?? (DATABASE_URL === undefined && PUBLIC_URL === undefined ? '127.0.0.1' : null);
  return { host, stopDelaySeconds: given ?? (LOOPBACK.has(host ?? '') ? 0 : STOP_DELAY_SECONDS) };
}

function toConfig(env: Environment, cwd: string): Config {
  const totalMs = env.COMPLIANCE_TIMEOUT_SECONDS * 1000;
  return {
    port: env.PORT,
    ...toListening(env),
    opsPort: env.OPS_PORT ?? null,
    ...toConsole(env),
    oidc: toOidc(env),
    trustProxy: listed(env.TRUST_PROXY),
    trustedHttpHosts: listed(env.TRUSTED_HTTP_HOSTS),
    publicUrl: env.PUBLIC_URL ?? null,
    servicePublicUrl: env.SERVICE_PUBLIC_URL ?? env.PUBLIC_URL ?? null,
    dataDir: resolve(cwd, env.DATA_DIR),
    database: env.DATABASE_URL === undefined ? { kind: 'embedded' } : { kind: 'external', url: env.DATABASE_URL, directUrl: env.DATABASE_DIRECT_URL ?? null },
    databaseConnections: env.DATABASE_CONNECTIONS,
    queue: env.REDIS_URL === undefined ? { kind: 'postgres' } : { kind: 'redis', url: env.REDIS_URL, ca: env.REDIS_CA ?? null },
    encryptionKeys: env.ENCRYPTION_KEYS ?? null,
    compliance: toCompliance(env),
    complianceFaults: env.COMPLIANCE_FAULTS,
    accountingCurrency: env.ACCOUNTING_CURRENCY === 'by-period' ? null : env.ACCOUNTING_CURRENCY,
    bnbRatesUrl: env.BNB_RATES_URL === 'off' ? null : env.BNB_RATES_URL,
    bnbRatesDayUrl: toDayUrl(env),
    replacementWaitMinutes: env.REPLACEMENT_WAIT_MINUTES,
    mail: { smtpUrl: env.SMTP_URL ?? null, from: env.MAIL_FROM, ...(env.MAIL_REPLY_TO !== undefined && { replyTo: env.MAIL_REPLY_TO }) },
    alerts: toAlerts(env),
    appSecrets: toAppSecrets(env),
    adminToken: env.ADMIN_TOKEN ?? null,
    allowPrivateAddresses: env.ALLOW_PRIVATE_ADDRESSES,
    logLevel: env.LOG_LEVEL,
    logFormat: env.LOG_FORMAT ?? null,
    traces: toTraces(env),
    quietSeconds: env.QUIET_SECONDS,
    leaseSeconds: env.LEASE_SECONDS,
    stalledSeconds: env.STALLED_SECONDS,
    sweepSeconds: env.SWEEP_SECONDS,
    reconcileSeconds: env.RECONCILE_SECONDS,
    retryScale: env.RETRY_SCALE,
    concurrency: env.CONCURRENCY,
    keepDeliveriesDays: env.KEEP_DELIVERIES_DAYS,
    keepBodiesMb: env.KEEP_BODIES_MB,
    keepDays: toKeepDays(env),
    timeouts: { connectMs: Math.min(CONNECT_SECONDS * 1000, totalMs), headersMs: totalMs, totalMs },
  };
}

function toTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG }: Environment) {
  if (endpoint === undefined) return null;
  const share = OTEL_TRACES_SAMPLER.endsWith('ratio') ? OTEL_TRACES_SAMPLER_ARG : Number(OTEL_TRACES_SAMPLER.endsWith('on'));
  return { url: `${endpoint}/v1/traces`, share };
}

function toKeepDays(env: Environment): Config['keepDays'] {
  return {
    arrivals: env.KEEP_ARRIVALS_DAYS,
    buyers: env.KEEP_BUYERS_DAYS,
    exports: env.KEEP_EXPORTS_DAYS,
    unreadable: env.KEEP_UNREADABLE_DAYS,
    outbox: env.KEEP_OUTBOX_DAYS,
  };
}

function toConsole(env: Environment): Pick<Config, 'console' | 'consolePort' | 'consolePublicUrl' | 'secondFactor'> {
  const { CONSOLE, CONSOLE_PORT, CONSOLE_PUBLIC_URL, PUBLIC_URL, SECOND_FACTOR } = env;
  const isHereAlone = LOOPBACK.has(toListening(env).host ?? '') && PUBLIC_URL === undefined && CONSOLE_PUBLIC_URL === undefined;
  return {
    ...{ console: CONSOLE === 'on', consolePort: CONSOLE_PORT ?? null, consolePublicUrl: CONSOLE_PUBLIC_URL ?? null },
    secondFactor: SECOND_FACTOR ?? (isHereAlone ? 'optional' : 'required'),
  };
}

function toOidc({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLE_CLAIM, OIDC_ROLES }: Environment): OidcConfig | null {
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || OIDC_CLIENT_SECRET === undefined || OIDC_ROLES === undefined) return null;
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, roleClaim: OIDC_ROLE_CLAIM, roles: OIDC_ROLES };
}

/** Of the bank itself only if the newest sheet comes from it, too: a mirror may be all that can be reached. */
function toDayUrl({ BNB_RATES_URL: newest, BNB_RATES_DAY_URL: day }: Environment): string | null {
  if (newest === 'off' || day === 'off') return null;
  return day ?? (newest === BNB_RATES_URL ? BNB_RATES_DAY_URL : null);
}

/** A storefront whose stores share one address names its variable; here every variable that ends so is passed on. */
function toAppSecrets(env: Environment): Config['appSecrets'] {
  const named = Object.entries(env).filter(([name]) => name.endsWith('_APP_SECRET'));
  return Object.fromEntries(named.flatMap(([name, value]) => (value instanceof Secret ? [[name, value]] : [])));
}

function toAlerts(env: Environment): AlertConfig {
  const { ALERT_WEBHOOK_URL: url, ALERT_WEBHOOK_SECRET: secret } = env;
  return {
    mailTo: [...new Set(separate(env.ALERT_MAIL_TO))],
    slackUrl: env.ALERT_SLACK_URL ?? null,
    webhook: url === undefined || secret === undefined ? null : { url, secret },
    heartbeatUrl: env.HEARTBEAT_URL ?? null,
    digestAt: env.DIGEST_AT ?? null,
  };
}

function toCompliance(env: Environment): ComplianceConfig {
  if (env.COMPLIANCE_API_URL === undefined || env.COMPLIANCE_AMOUNTS === undefined) return { kind: 'embedded' };
  return {
    kind: 'remote',
    baseUrl: env.COMPLIANCE_API_URL,
    apiKey: env.COMPLIANCE_API_KEY ?? null,
    apiSecret: env.COMPLIANCE_API_SECRET ?? null,
    dialect: {
      signatureAlgorithm: env.COMPLIANCE_SIGNATURE_ALGORITHM,
      signatureEncoding: env.COMPLIANCE_SIGNATURE_ENCODING,
      signatureEmptyBody: env.COMPLIANCE_SIGNATURE_EMPTY_BODY,
      amounts: env.COMPLIANCE_AMOUNTS,
      vatRate: env.COMPLIANCE_VAT_RATE,
      idempotencyKey: env.COMPLIANCE_IDEMPOTENCY_KEY,
    },
    extensions: { forgetsBuyers: env.COMPLIANCE_FORGETS_BUYERS, delivered: env.COMPLIANCE_DELIVERED },
  };
}

/** The configuration of this environment and of the files that it names; all its problems in one error, exit code 78. */
export function readConfig({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>, role: Role = 'all'): Config {
  const files = withSecretFiles(env, cwd);
  const loaded = loadConfig(files.env, { role, cwd });
  if (loaded.ok && files.problems.size === 0) return loaded.config;
  // A variable whose file can't be read is not missing.
  const others = loaded.ok ? [] : loaded.problems.filter((problem) => ![...files.problems.keys()].some((name) => problem.startsWith(`${name} must be set`)));
  const problems = [...files.problems.values(), ...others];
  throw new CliError(`the configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`, EXIT_CONFIG);
}

/** `env` with the secrets that files hold. `problems` are sentences for the user, by the variable that stays unset. */
type SecretFiles = { env: Variables; problems: ReadonlyMap<string, string> };

const MOST_BYTES = 16_384;

/** Reads the files that `NAME_FILE` names, for every secret variable NAME. Paths are relative to `cwd`. */
function withSecretFiles(env: Variables, cwd: string): SecretFiles {
  const read: Variables = {};
  const problems = new Map<string, string>();
  for (const { name } of describeEnvironment().filter(({ secret }) => secret)) {
    const given = env[`${name}_FILE`] ?? '';
    if (given.trim() === '') continue;
    const value = isSet(env[name]) ? { problem: `and ${name} are both set: unset one of them` } : contentOf(resolve(cwd, given));
    if ('text' in value) read[name] = value.text;
    else problems.set(name, `${name}_FILE ${value.problem}`);
  }
  return { env: { ...env, ...read }, problems };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

function contentOf(path: string): { text: string } | { problem: string } {
  try {
    const bytes = beginningOf(path);
    if (bytes.length > MOST_BYTES) return { problem: `names ${path}, which has more than ${MOST_BYTES} bytes: it is no secret` };
    const text = bytes.toString('utf8');
    return text.trim() === '' ? { problem: `names ${path}, which is empty` } : { text };
  } catch (thrown) {
    return { problem: `names ${path}, which can’t be read (${codeOf(thrown) || 'unreadable'})` };
  }
}

/** At most one byte more than allowed, of a pipe, too. */
function beginningOf(path: string): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    let size = 0;
    for (let read = -1; read !== 0 && size < bytes.length; size += read) read = readSync(file, bytes, size, bytes.length - size, null);
    return bytes.subarray(0, size);
  } finally {
    closeSync(file);
  }
}
