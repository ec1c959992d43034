import { hostname, userInfo } from 'node:os';
import type { Readable, Writable } from 'node:stream';

/** The parts of its process that a command may use. */
export type CliContext = {
  args: readonly string[];
  env: Record<string, string | undefined>;
  cwd: string;
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { isTTY?: boolean; columns?: number | undefined };
  stderr: Writable & { isTTY?: boolean; columns?: number | undefined };
  /** Aborted by SIGTERM and SIGINT. */
  signal: AbortSignal;
  /** Of the process; absent: not known. */
  pid?: number;
  /** How much longer than others this command may take to end after SIGTERM. */
  mayStopLater?(ms: number): void;
};

/** A mistake of the user, or a situation that a sentence explains; no stack is shown. Without words, everything is said already. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: number;

  constructor(words: string, exitCode = 1) {
    super(words);
    this.exitCode = exitCode;
  }
}

/** EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78;

/** The person at the command line, as far as the machine knows. */
export function cliActor(): `cli:${string}@${string}` {
  return `cli:${userName()}@${hostname()}`;
}

// In a container the user may have no name.
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
