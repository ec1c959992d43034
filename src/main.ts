import { runCli } from './cli/run-cli.ts';
import { withSourcePlaces } from './platform/source-places.ts';

const IMPATIENT_MS = 1_000;
const LEFTOVERS_MS = 500;
const LAST_RESORT_MS = 29_000;
const BY_SIGNAL = 130;

const stop = new AbortController();
let stoppedAt: number | undefined;
/** How much later than a command a server may stop; null: no server runs. */
let laterMs: number | null = null;

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => onSignal(signal));
process.on('uncaughtException', fail);
process.stdout.on('error', onUnwritten);
process.stderr.on('error', () => undefined);

const exitCode = await runCli({
  args: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stop.signal,
  pid: process.pid,
  mayStopLater: (ms) => {
    laterMs = ms;
  },
}).catch(fail);
if (exitCode) process.exitCode = exitCode;
// What could not be stopped (a connection to a server that hangs) must not keep the process.
if (stop.signal.aborted) setTimeout(() => process.exit(), LEFTOVERS_MS).unref();

/** The first signal stops gracefully, a later Ctrl-C ends at once. A terminal and npm may both pass on the same Ctrl-C. */
function onSignal(signal: NodeJS.Signals): void {
  if (stoppedAt !== undefined && signal === 'SIGINT' && performance.now() - stoppedAt > IMPATIENT_MS) process.exit(BY_SIGNAL);
  stoppedAt ??= performance.now();
  // Whatever hangs: a supervisor would kill it a moment later. A command did not come to its end; a server was only to stop.
  const end = (): never => process.exit(process.exitCode ?? (laterMs === null ? 1 : 0));
  if (signal === 'SIGTERM') setTimeout(end, LAST_RESORT_MS + (laterMs ?? 0)).unref();
  stop.abort(signal);
}

/** A bug. Running work finishes as at a signal, then a supervisor restarts the program. */
function fail(thrown: unknown): void {
  const words = thrown instanceof Error ? withSourcePlaces(thrown.stack ?? thrown.message) : String(thrown);
  process.stderr.write(`orderbridge: something that should not happen: ${words}\n`);
  process.exitCode = 1;
  stop.abort('failure');
}

/** The reader of our output, such as `head`, closed the pipe: no error. A full disk fails a command, and does not end a server. */
function onUnwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE' || process.exitCode !== undefined) return;
  process.stderr.write(`orderbridge: standard output can’t be written: ${message}\n`);
  process.exitCode = 1;
}
