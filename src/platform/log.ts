import { type Logger, pino, stdTimeFunctions } from 'pino';
import { describeError } from './describe-error.ts';

/** One JSON object per line; `level` and `time` (ISO 8601, UTC) in each. */
export type Log = Logger;

export type LogOptions = {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  name: string;
  /** Where lines go; standard output unless given. */
  destination?: { write(line: string): void };
};

// A net under the rule that secrets and personal data are never handed to the log.
const hiddenKeys = [
  'secret',
  'apiSecret',
  'apiKey',
  'consumerKey',
  'consumerSecret',
  'password',
  'token',
  'adminToken',
  'encryptionKey',
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
];
const redact = {
  paths: hiddenKeys.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]),
  censor: '[hidden]',
};

/** The program's log. Errors go in as `err`: their name, code, message, stack and causes are kept, whatever else hangs on them is not. */
export function createLog({ level, name, destination }: LogOptions): Log {
  const options = {
    level,
    name,
    redact,
    timestamp: stdTimeFunctions.isoTime,
    base: { name },
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError, error: describeError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
