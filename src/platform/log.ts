import { type Logger, pino, stdTimeFunctions } from 'pino';
import { hideSecrets } from './hide-secrets.ts';

/** One JSON object per line; `level` and `time` (ISO 8601, UTC) in each. Without children: what is bound to them would not be looked through. */
export type Log = Pick<Logger, 'level' | 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

export type LogOptions = {
  level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  name: string;
  /** Where lines go; standard output unless given. */
  destination?: { write(line: string): void };
};

/** The program's log. Errors go in as `err`: their name, code, message, stack and causes are kept, whatever else hangs on them is not. */
export function createLog({ level, name, destination }: LogOptions): Log {
  const options = {
    level,
    name,
    timestamp: stdTimeFunctions.isoTime,
    base: { name },
    // A net under the rule that secrets and personal data are never handed to the log; pino's own takes longer than the rest of a line.
    formatters: { level: (label: string) => ({ level: label }), log: hideSecrets },
    // Described already; pino's own would describe the description.
    serializers: { err: (described: unknown) => described },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
