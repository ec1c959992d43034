import { z } from 'zod';
import { secretProblem } from '../contract/standard-webhook.ts';
import { plainAddress } from '../platform/mail/mail-address.ts';
import { redisAddress } from '../platform/queue/redis-address.ts';
import { SHORTEST_ADMIN_TOKEN } from './config.ts';
import {
  address,
  certificates,
  flag,
  isHost,
  isProxy,
  issuerAddress,
  listed,
  number,
  oidcRoles,
  oneOf,
  parseKeys,
  secret,
  secretAddress,
  secretText,
  separate,
  webAddress,
} from './variable-forms.ts';

const BANK = 'https://www.bnb.bg/Statistics/StExternalSector/StExchangeRates/StERForeignCurrencies/index.htm';
/** The newest sheet of the Bulgarian National Bank. */
export const BNB_RATES_URL = `${BANK}?download=xml&search=&lang=EN`;
/** Its sheet of a day. */
export const BNB_RATES_DAY_URL = `${BANK}?downloadOper=true&group1=first&firstDays={DD}&firstMonths={MM}&firstYear={YYYY}&search=true&showChart=false&showChartButton=false&type=XML&lang=EN`;

function takesDay(address: string): boolean {
  return address.includes('{date}') || ['{YYYY}', '{MM}', '{DD}'].every((part) => address.includes(part));
}

/** How people sign in with an identity provider. */
const oidcVariables = {
  OIDC_ISSUER: issuerAddress()
    .optional()
    .describe(
      'Identity provider by which people sign in to `/console` (OpenID Connect), as it names itself. Needs OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_ROLES, and CONSOLE_PUBLIC_URL or PUBLIC_URL; the provider must know their `/console/oidc/callback`.',
    ),
  OIDC_CLIENT_ID: z.string().optional().describe('Id of the client that was made for orderbridge there.'),
  OIDC_CLIENT_SECRET: secretText.optional().meta(secret('Secret of that client.')),
  OIDC_ROLE_CLAIM: z
    .string()
    .default('groups')
    .describe('What the provider tells of a person by which the role follows: text, or a list of it; dots lead inwards (`realm_access.roles`).'),
  OIDC_ROLES: oidcRoles()
    .optional()
    .describe(
      'Which role such a value gives, with commas between: `owner=ops-admins,operator=ops,accountant=books,viewer=staff`. Of several the highest counts; anyone who has none has no access.',
    ),
} as const;

/** Where people and merchants find their pages, and whom they let in. */
const consoleVariables = {
  CONSOLE: oneOf(['on', 'off'])
    .default('on')
    .describe('`off` leaves the pages at `/console`, and those of merchants at `/connect`, out of roles `all` and `console`.'),
  CONSOLE_PORT: number({ min: 0, max: 65_535, whole: true }).optional().describe('Port of its own for `/console`, at the same HOST; if unset, it is on PORT.'),
  CONSOLE_PUBLIC_URL: webAddress()
    .optional()
    .describe('Address under which people reach `/console`, for links and sessions; PUBLIC_URL if unset. Needed for mailed links if CONSOLE_PORT is set.'),
  SECOND_FACTOR: oneOf(['required', 'optional'])
    .optional()
    .describe(
      'Whether owners and operators need a second factor (a code of an app) beside a password or a mailed link; they have 14 days to set it up. If unset: `required`, but `optional` where HOST is this machine’s own address and no PUBLIC_URL or CONSOLE_PUBLIC_URL is set.',
    ),
  CONNECT: z
    .literal(
      'invited',
      'must be invited, or left out: `open` is gone; merchants come by a link (`orderbridge invite`), or by an app that they approve at their store',
    )
    .optional()
    .describe(
      'Who may connect a store by the pages at `/connect`: merchants who are `invited`, or who approve an app at their store. There is no other value.',
    ),
  ...oidcVariables,
};

/** What is read here; the exporter of OpenTelemetry reads more, of the environment itself. */
const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress()
    .optional()
    .describe(
      'Collector that gets traces by OTLP over HTTP, such as `http://localhost:4318`; there are none if unset. In the environment itself, not in `.env`, `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_RESOURCE_ATTRIBUTES` and the like count, too.',
    ),
  OTEL_TRACES_SAMPLER: oneOf(['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'])
    .default('parentbased_always_on')
    .describe('Which traces are kept: all, none, or by `traceidratio` a share of them. A trace’s id decides, so every process keeps the same.'),
  OTEL_TRACES_SAMPLER_ARG: number({ min: 0, max: 1 }).default(1).describe('That share: `0.1` keeps a tenth.'),
};

/** Every environment variable, with its form, default and description; the table in docs/reference/variables.md is made from it. Values are text, never empty. */
export const environment = z.object({
  PORT: number({ min: 0, max: 65_535, whole: true }).default(3000).describe('Port of the HTTP server; 0 takes a free one.'),
  HOST: z
    .string()
    .optional()
    .describe('Address to listen on. If unset: `127.0.0.1` with the embedded PostgreSQL and no PUBLIC_URL, else all interfaces, IPv6 too.'),
  OPS_PORT: number({ min: 0, max: 65_535, whole: true })
    .optional()
    .describe('Port of its own for `/metrics` and `/admin`, at the same HOST; if unset, they are on PORT. `/healthz` and `/readyz` are on both.'),
  ...consoleVariables,
  TRUST_PROXY: z
    .string()
    .refine((value) => listed(value).every(isProxy), 'must be addresses, networks such as 10.0.0.0/8, loopback, linklocal or uniquelocal, with commas between')
    .optional()
    .describe(
      'Proxies whose `X-Forwarded-For` says who the client is, for the log: addresses or networks, or `loopback`, `linklocal`, `uniquelocal`, with commas between.',
    ),
  TRUSTED_HTTP_HOSTS: z
    .string()
    .refine((value) => listed(value).every(isHost), 'must be names or addresses of hosts, without http:// and port, with commas between')
    .optional()
    .describe('Hosts to which keys may be sent over `http://`, and mails without TLS, with commas between; loopback and private addresses need no entry.'),
  PUBLIC_URL: webAddress()
    .optional()
    .describe(
      'Address under which stores reach it, for the webhook URLs that are printed; `http://localhost:PORT` if unset. Where this, or another public address, is https, browsers call that host by https only, for a year.',
    ),
  SERVICE_PUBLIC_URL: webAddress()
    .optional()
    .describe(
      'Address under which people reach `/months` of our compliance service, for the links in mails; PUBLIC_URL if unset. Without both, they ask for an answer.',
    ),
  DATA_DIR: z.string().default('./data').describe('Folder of the embedded PostgreSQL and of the generated key.'),
  DATABASE_URL: address(['postgres', 'postgresql'])
    .pipe(secretText)
    .optional()
    .meta(secret('PostgreSQL of your own (`postgres://…`); if unset, a private one runs in DATA_DIR (role `all` and the command line only).')),
  DATABASE_DIRECT_URL: address(['postgres', 'postgresql'])
    .pipe(secretText)
    .optional()
    .meta(
      secret(
        'The same PostgreSQL past the pooler (PgBouncer, `pool_mode = transaction`) that DATABASE_URL then names: for what needs a session. The role of DATABASE_URL must have the settings of `ops/pooler.sql`.',
      ),
    ),
  DATABASE_CONNECTIONS: number({ min: 12, max: 1_000, whole: true })
    .default(12)
    .describe(
      'Most connections to PostgreSQL of one process for the ledger, and as many for our own compliance service, which takes nine when it makes three months’ files at once.',
    ),
  REDIS_URL: z
    .string()
    .refine(
      (value) => /^\S+:\/\/\S+$/.test(value) && redisAddress(value) !== undefined,
      'must be redis://…, rediss://… or redis+sentinel://HOST:PORT,HOST:PORT/MASTER, with %25 for a % in a password',
    )
    .pipe(secretText)
    .optional()
    .meta(
      secret(
        'Redis for the queues (`redis://…`, over TLS `rediss://…`), with `appendonly yes` and `maxmemory-policy noeviction`; with Sentinel `redis+sentinel://USER:PASSWORD@HOST:PORT,HOST:PORT/MASTER/DB?sentinel-password=…`, where a webhook is answered when a replica has it. If unset, the queues live in PostgreSQL.',
      ),
    ),
  REDIS_CA: certificates()
    .pipe(secretText)
    .optional()
    .meta(secret('Certificates in PEM of who signs those of Redis and its Sentinels, instead of the known ones; Redis is then called over TLS only.')),
  ENCRYPTION_KEYS: z
    .string()
    .refine((value) => parseKeys(value) !== undefined, 'must be keys of 32 bytes as 64 hex digits or base64, newest first (`openssl rand -hex 32` makes one)')
    .pipe(secretText)
    .optional()
    .meta(
      secret(
        'Keys that what is stored is encrypted with, newest first, with commas or line ends between: each 32 bytes as 64 hex digits or base64. Required with DATABASE_URL; else one is made and kept in DATA_DIR.',
      ),
    ),
  COMPLIANCE_API_URL: webAddress()
    .refine((value) => !/\/public-api(\/v1)?$/.test(value), 'must be the address of the service without /public-api, which is added to it')
    .optional()
    .describe('Address of the compliance API, without `/public-api`; if unset, the embedded compliance service is used.'),
  COMPLIANCE_API_KEY: z.string().optional().meta(secret('API key for connections that have none of their own.')),
  COMPLIANCE_API_SECRET: secretText.optional().meta(secret('API secret that goes with COMPLIANCE_API_KEY.')),
  COMPLIANCE_AMOUNTS: oneOf(['decimal', 'minor'])
    .optional()
    .describe('Unit of `price` and `discount`: `decimal` (12.9) or `minor` (1290). Required with COMPLIANCE_API_URL: wrong is a factor of 100.'),
  COMPLIANCE_SIGNATURE_ALGORITHM: oneOf(['sha256', 'sha512', 'sha1'])
    .default('sha256')
    .describe('Hash of the HMAC in `x-signature`: `sha256`, `sha512` or `sha1`.'),
  COMPLIANCE_SIGNATURE_ENCODING: oneOf(['hex', 'base64']).default('hex').describe('How `x-signature` is written: `hex` or `base64`.'),
  COMPLIANCE_SIGNATURE_EMPTY_BODY: oneOf(['empty-string', 'omit'])
    .default('empty-string')
    .describe('Requests without a body: sign the `empty-string`, or `omit` the signature.'),
  COMPLIANCE_VAT_RATE: oneOf(['percent', 'fraction']).default('percent').describe('`vatRate` as `percent` (20) or `fraction` (0.2).'),
  COMPLIANCE_IDEMPOTENCY_KEY: oneOf(['supported', 'ignored'])
    .default('ignored')
    .describe(
      'Does the service honour `Idempotency-Key`? `supported`: a create whose reply was lost is sent again, byte for byte; `ignored`: the order becomes `unconfirmed`.',
    ),
  COMPLIANCE_FORGETS_BUYERS: oneOf(['supported', 'no'])
    .default('no')
    .describe(
      'Has the service `POST /service/v1/orders/{id}/forget-buyer`, as ours has? `supported`: a privacy request is passed on to it; `no`: its operator must be asked, and `doctor` says so.',
    ),
  COMPLIANCE_DELIVERED: oneOf(['supported', 'no'])
    .default('no')
    .describe('Has the service `PUT /service/v1/orders/{id}/delivered`, as ours has? It is needed for `monthBy: delivery` in the settings of a connection.'),
  COMPLIANCE_TIMEOUT_SECONDS: number({ min: 0.1, max: 600 })
    .default(20)
    .describe('Limit of one call to the compliance API; connecting gets 5 s of it at most. Keep it below `LEASE_SECONDS`.'),
  COMPLIANCE_FAULTS: flag()
    .default(false)
    .describe('Opens `/faults`, which makes the embedded compliance service slow, fail and lose replies. Never in production.'),
  ACCOUNTING_CURRENCY: oneOf(['by-period', 'BGN', 'EUR'])
    .default('by-period')
    .describe('Currency of the audit files that our compliance service makes: `by-period` (BGN until 2025, EUR since 2026), or always `BGN` or `EUR`.'),
  BNB_RATES_URL: z
    .union([z.literal('off'), address(['http', 'https'])], 'must be a URL that starts with http:// or https://, or off')
    .default(BNB_RATES_URL)
    .describe('Daily exchange rates of the Bulgarian National Bank, for orders in other currencies than EUR and BGN; `off` fetches nothing.'),
  BNB_RATES_DAY_URL: z
    .union(
      [
        z.literal('off'),
        address(['http', 'https']).refine((value) => takesDay(value), 'must be a URL with {YYYY}, {MM} and {DD}, or {date}, in the place of the day'),
      ],
      'must be a URL with {YYYY}, {MM} and {DD}, or {date}, in the place of the day, or off',
    )
    .optional()
    .describe(
      'Where the sheet of a past day is fetched if it was missed and orders wait for it, with `{YYYY}`, `{MM}` and `{DD}`, or `{date}` (2026-11-20), in the place of the day. If unset: the bank’s own address, if BNB_RATES_URL is unset, too; `off` fetches none.',
    ),
  REPLACEMENT_WAIT_MINUTES: number({ min: 0, max: 1440 })
    .default(15)
    .describe(
      'For how long an audit file waits for the replacement of an order that was just deleted, so that it shows no full return in between; after it the buyer of a receipt that lost its order gets a notice.',
    ),
  SMTP_URL: address(['smtp', 'smtps'])
    .pipe(secretText)
    .optional()
    .meta(secret('Mail server (`smtps://user:password@host`) for receipts and audit files; if unset, mails are put into DATA_DIR/outbox as `.eml` files.')),
  MAIL_FROM: z
    .string()
    .regex(/^([^<>\r\n]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must be an e-mail address, or a name with one: Shop service <audit@example.com>')
    .default('orderbridge@localhost')
    .describe('Sender of those mails.'),
  MAIL_REPLY_TO: z
    .string()
    .refine((value) => plainAddress(value) !== null, 'must be one e-mail address, without a name')
    .optional()
    .describe(
      'Where merchants’ answers to mails about audit files go, such as the address of who runs the service; if unset, to MAIL_FROM. Answers to receipts go to the shop.',
    ),
  ALERT_MAIL_TO: z
    .string()
    .refine(
      (value) => separate(value).length > 0 && separate(value).every((one) => plainAddress(one) !== null),
      'must be e-mail addresses, with commas between',
    )
    .optional()
    .describe('Who is mailed when something is wrong: e-mail addresses, with commas between. SMTP_URL and MAIL_FROM count for them, too.'),
  ALERT_SLACK_URL: secretAddress()
    .optional()
    .meta(secret('Incoming webhook of Slack (or of Mattermost, Rocket.Chat, Discord with `/slack` at its end) that gets a message when something is wrong.')),
  ALERT_WEBHOOK_URL: secretAddress()
    .optional()
    .meta(secret('Address that gets `alert.raised` and `alert.resolved` as Standard Webhooks; it may be a private one.')),
  ALERT_WEBHOOK_SECRET: z
    .string()
    .superRefine((value, context) => {
      const problem = secretProblem(value);
      if (problem !== null) context.addIssue({ code: 'custom', message: `can’t be used. ${problem}` });
    })
    .pipe(secretText)
    .optional()
    .meta(secret('What those are signed with: `whsec_` and base64 of 24 to 64 bytes.')),
  HEARTBEAT_URL: secretAddress()
    .optional()
    .meta(secret('Address of a dead man’s switch that is fetched each minute while nothing is failing: a process that is dead can’t alert.')),
  DIGEST_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 08:30')
    .optional()
    .describe('When a summary of the day before goes to every channel of alerts, such as `08:30` (Europe/Sofia); none if unset.'),
  SHOPIFY_APP_SECRET: secretText.optional().meta(secret('Client secret of your Shopify app, for the address that all its shops share.')),
  QUIET_SECONDS: number({ min: 0, max: 3600 })
    .default(5)
    .describe('Quiet time: how long after the first webhook of a change an order is submitted, so that a burst of webhooks becomes one record.'),
  ALLOW_PRIVATE_ADDRESSES: flag().default(false).describe('Lets store addresses be private ones. For development only.'),
  ADMIN_TOKEN: secretText
    .optional()
    .meta(
      secret(
        `Password of \`/admin/queues\` (any user name), of ${SHORTEST_ADMIN_TOKEN} characters at least; if unset, only who is signed in to the console sees it.`,
      ),
    ),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info').describe('Least level that is logged.'),
  LOG_FORMAT: oneOf(['json', 'text'])
    .optional()
    .describe('How `start` writes its log: `json`, a line an object, or `text` for people. If unset: `text` on a terminal, else `json`.'),
  ...traceVariables,
  STOP_DELAY_SECONDS: number({ min: 0, max: 300 })
    .optional()
    .describe(
      'How long a process takes requests after SIGTERM while `/readyz` is 503, so that balancers send nothing to one that is gone. If unset: 0 on a loopback HOST, else 5. Ctrl-C does not wait.',
    ),
  LEASE_SECONDS: number({ min: 0.1, max: 3600 }).default(30).describe('How long a claim on an order lasts without a sign of life.'),
  STALLED_SECONDS: number({ min: 0.1, max: 3600 }).default(30).describe('After how long the job of a silent worker is given to another.'),
  SWEEP_SECONDS: number({ min: 0.1, max: 3600 })
    .default(5)
    .describe(
      'How often processes look for background jobs that are due, and the sweeper for webhooks that wait in the inbox, failed jobs of the queues and overdue probes; our compliance service looks for files that are due every sixth time.',
    ),
  RECONCILE_SECONDS: number({ min: 10, max: 86_400 })
    .default(900)
    .describe('How often the orders that changed in a store are read by its API and compared with the ledger, for stores connected with a key of it.'),
  RETRY_SCALE: number({ min: 0.01, max: 100 })
    .default(1)
    .describe('Multiplies how long background jobs wait after each failure: 2 waits twice as long. A time that another server names wins.'),
  CONCURRENCY: number({ min: 1, max: 1000, whole: true })
    .default(32)
    .describe('Orders that one process submits at once; those that take longer than a second are counted for their own connection only.'),
  KEEP_DELIVERIES_DAYS: number({ min: 1, max: 3650 })
    .default(30)
    .describe(
      'How long the bodies of deliveries are kept for replay, and which headers came with them. Those of orders go by whole days, up to a thirtieth of it later.',
    ),
  KEEP_BODIES_MB: number({ min: 1, max: 1_000_000, whole: true })
    .default(200)
    .describe(
      'How many MB of the bodies of one store’s deliveries, compressed, are kept of a day. Those beyond it are taken and recorded, and only what is read of them is kept until then.',
    ),
  KEEP_ARRIVALS_DAYS: number({ min: 365, max: 36_500 })
    .default(3650)
    .describe('How long it is kept which webhooks came, and what became of each, without their bodies; what was made of them stays.'),
  KEEP_UNREADABLE_DAYS: number({ min: 1, max: 3650 })
    .default(90)
    .describe('How long the bodies of deliveries that could not be read are kept after a person dismissed or replayed them; until then they stay.'),
  KEEP_BUYERS_DAYS: number({ min: 1, max: 36_500 })
    .default(365)
    .describe('How long the buyer of an order is kept, by the bridge and by our compliance service; amounts and documents stay.'),
  KEEP_EXPORTS_DAYS: number({ min: 1, max: 3650 }).default(30).describe('How long exports for buyers who asked for their data are kept.'),
  KEEP_OUTBOX_DAYS: number({ min: 1, max: 3650 })
    .default(30)
    .describe('How long mails and alerts that were sent or given up are listed, and how long the files in DATA_DIR/outbox stay.'),
});

/** The environment, each value parsed on its own. */
export type Environment = z.infer<typeof environment>;

/** One environment variable, as the documentation shows it. `default` is its text, null if there is none. */
type VariableDescription = { name: string; default: string | null; description: string; secret: boolean };

/** Every environment variable in the order of the schema. */
export function describeEnvironment(): VariableDescription[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const { description = '', secret } = schema.meta() ?? {};
    const unset: unknown = schema.safeParse(undefined).data;
    return { name, default: unset === undefined ? null : String(unset), description, secret: secret === true };
  });
}
