import { type Logger, pino, stdTimeFunctions } from 'pino';
import { hideSecrets } from './hide-secrets.ts';

/** One JSON object per line; `level` and `time` (ISO 8601, UTC) in each. Without children: fields bound to them would not be checked for secrets. */
export type Log = Pick<Logger, 'level' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export type LogOptions = {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  name: string;
  /** Where lines go; standard output unless given. */
  destination?: { write(line: string): void };
};

/** The program's log. Errors go in as `err`: their name, code, message, stack and causes are logged, other fields are not. */
export function createLog({ level, name, destination }: LogOptions): Log {
  const options = {
    level,
    name,
    timestamp: stdTimeFunctions.isoTime,
    base: { name },
    // A safety net: secrets and personal data must never be passed to the log. pino's own redaction takes longer than the rest of a line.
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
    // Errors are described already; pino's serializer would describe the description.
    serializers: { err: (described: unknown) => described },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
