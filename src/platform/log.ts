import { type Logger, pino, stdTimeFunctions } from 'pino';
import { withSourcePlaces } from './source-places.ts';
import { harmlessJson } from './terminal/harmless-json.ts';

/** One JSON object per line; `level` and `time` (ISO 8601, UTC) in each. Without children: fields bound to them would not be checked for secrets. */
export type Log = Pick<Logger, 'level' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

type LogOptions = {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  name: string;
  /** Fields of each line, asked for as it is written. */
  fields?: () => object;
  /** Where lines go; standard output unless given. */
  destination?: { write(line: string): void };
};

/** The program's log. Errors go in as `err`: their name, code, message, stack and causes are logged, other fields are not. */
export function createLog({ level, name, fields, destination }: LogOptions): Log {
  const options = {
    level,
    name,
    timestamp: stdTimeFunctions.isoTime,
    base: { name },
    // A safety net: secrets and personal data must never be passed to the log. pino's own redaction takes longer than the rest of a line.
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
    // Errors are described already; pino's serializer would describe the description.
    serializers: { err: (described: unknown) => described },
    // A store's words may be in any field.
    hooks: { streamWrite: harmlessJson },
    ...(fields === undefined ? {} : { mixin: fields }),
  };
  return pino(options, destination ?? turnByTurn());
}

/** What a full disk does not take is kept until it takes something; more than this is dropped. */
const MOST_KEPT_BYTES = 10_000_000;

/** Standard output. The lines of one turn of the event loop are written together, which takes as long as writing one; what warns waits for nothing. */
function turnByTurn(): NonNullable<LogOptions['destination']> {
  const out = pino.destination({ sync: true, maxLength: MOST_KEPT_BYTES });
  out.on('error', () => undefined);
  let lines = '';
  const flush = () => {
    if (lines !== '') out.write(lines);
    lines = '';
  };
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
      if (!line.startsWith('{"level":"info"')) flush();
    },
  };
}

const HIDDEN = new Set([
  'secret',
  'apiSecret',
  'apiKey',
  'access',
  'consumerKey',
  'consumerSecret',
  'password',
  'token',
  'adminToken',
  'encryptionKeys',
  'authorization',
  'cookie',
  'x-api-key',
  'x-signature',
  'email',
  'phone',
  'firstName',
  'lastName',
  'customer',
  'headers',
  'body',
  'rawBody',
]);
/** The object itself, its values, and their values. */
const DEPTH = 3;

/** The object with secrets and personal data blanked and errors described, three levels deep. The objects themselves stay as they are. */
function hideSecrets(object: Record<string, unknown>): Record<string, unknown> {
  return { ...hide(object, DEPTH) };
}

function hide(object: object, depth: number): object {
  if (object instanceof Error) return describeError(object);
  // An object with toJSON decides itself what it shows.
  if (depth === 0 || 'toJSON' in object) return object;
  let shown: object | undefined;
  for (const [key, value] of Object.entries(object)) {
    const safe: unknown = HIDDEN.has(key) ? '[hidden]' : value !== null && typeof value === 'object' ? hide(value, depth - 1) : value;
    if (safe === value) continue;
    shown ??= Array.isArray(object) ? [...object] : { ...object };
    Object.assign(shown, { [key]: safe });
  }
  return shown ?? object;
}

/** The parts of an error that are logged. */
type ErrorDescription = { type: string; message: string; code?: string; stack?: string; cause?: ErrorDescription; errors?: ErrorDescription[] };

const MAX_DEPTH = 5;
const MAX_ERRORS = 5;

/** Named fields only: an HTTP client's error also carries headers and bodies, a database's the row that it stumbled over. */
function describeError(thrown: unknown, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  const description: ErrorDescription = { type: name, message };
  if ('code' in thrown && (typeof thrown.code === 'string' || typeof thrown.code === 'number')) description.code = String(thrown.code);
  if (stack !== undefined) description.stack = withSourcePlaces(stack);
  if (depth >= MAX_DEPTH) return description;
  if (cause !== undefined && cause !== null) description.cause = describeError(cause, depth + 1);
  if (thrown instanceof AggregateError) description.errors = thrown.errors.slice(0, MAX_ERRORS).map((error) => describeError(error, depth + 1));
  return description;
}
