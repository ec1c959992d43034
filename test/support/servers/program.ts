import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../../src/cli/run-cli.ts';
import { until } from '../worlds/settled.ts';
import { BUILT } from './built-program.ts';
import { scratchDir } from './scratch-dir.ts';

type Variables = Record<string, string>;
type Prepared = { env: Variables; main: string };
/** `columns`: standard output and errors are a terminal so wide. */
type RunOptions = { stdin?: string; env?: Variables; columns?: number };
export type Ran = { code: number | null; out: string; err: string };

/** Everything impatient, on a free port. */
const QUICK: Variables = {
  PORT: '0',
  BNB_RATES_URL: 'off',
  QUIET_SECONDS: '0',
  STOP_DELAY_SECONDS: '0',
  SWEEP_SECONDS: '1',
  LEASE_SECONDS: '3',
  STALLED_SECONDS: '2',
};

/** The program on a separate DATA_DIR, without the environment of the tests. */
export class Program implements AsyncDisposable {
  readonly dataDir: string;
  readonly #env: Variables;
  readonly #main: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(dataDir: string, { env, main }: Prepared, resources: AsyncDisposableStack) {
    this.dataDir = dataDir;
    this.#env = { ...QUICK, DATA_DIR: dataDir, ...env };
    this.#main = main;
    this.#resources = resources;
  }

  /** `main`: the program that runs where it runs in a separate process; the build of these sources if absent. */
  static async prepare(env: Variables = {}, main: string = BUILT): Promise<Program> {
    await using setup = new AsyncDisposableStack();
    const { path } = setup.use(await scratchDir());
    return new Program(path, { env, main }, setup.move());
  }

  /** Runs one command to its end in this process, without starting another Node. */
  async run(args: readonly string[], { stdin = '', env = {}, columns }: RunOptions = {}): Promise<Ran> {
    const out = new Collected(columns);
    const err = new Collected(columns);
    const { signal } = new AbortController();
    const context = { args, env: { ...this.#env, ...env }, cwd: this.dataDir, stdin: Readable.from([stdin]), stdout: out, stderr: err, signal };
    return { code: await runCli(context), out: out.text, err: err.text };
  }

  /** Runs one command to its end as users do: in a separate process. */
  async spawn(args: readonly string[], { stdin = '', env = {} }: RunOptions = {}): Promise<Ran> {
    const child = spawn(process.execPath, [this.#main, ...args], { env: { ...this.#env, ...env }, cwd: this.dataDir });
    // A command that does not read its input may end before it is written.
    child.stdin.on('error', () => undefined).end(stdin);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: typeof code === 'number' ? code : null, out, err };
  }

  /** Begins one command in a separate process, to be ended by kill -9. */
  spawnKillable(args: readonly string[]): { kill(): Promise<void> } {
    const child = spawn(process.execPath, [this.#main, ...args], { env: this.#env, cwd: this.dataDir, stdio: 'ignore' });
    const closed = once(child, 'close');
    return {
      async kill() {
        child.kill('SIGKILL');
        await closed;
      },
    };
  }

  /** Runs a command that must succeed; returns its output. */
  async ok(args: readonly string[], options?: RunOptions): Promise<string> {
    const { code, out, err } = await this.run(args, options);
    if (code !== 0) throw new Error(`orderbridge ${args.join(' ')} ended with ${code}: ${err}`);
    return out;
  }

  /** The JSON that a command prints; `T` is what the test expects. */
  async json<T>(args: readonly string[]): Promise<T> {
    return JSON.parse(await this.ok([...args, '--json']));
  }

  /** Puts a JSON file into DATA_DIR, which is where commands run. */
  writeJson(name: string, value: unknown): Promise<void> {
    return writeFile(join(this.dataDir, name), JSON.stringify(value));
  }

  /** Starts the server and waits until it is ready. */
  async start(env: Variables = {}): Promise<Server> {
    const child = spawn(process.execPath, [this.#main, 'start'], { env: { ...this.#env, ...env }, cwd: this.dataDir, stdio: ['ignore', 'pipe', 'inherit'] });
    const server = await Server.start(child);
    return this.#resources.use(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

class Collected extends Writable {
  text = '';
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  constructor(columns?: number) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

type Child = ChildProcessByStdio<null, Readable, null>;
type LogLine = { msg: string; event?: string; port?: number };

export class Server implements AsyncDisposable {
  readonly #child: Child;
  #log = '';

  private constructor(child: Child) {
    this.#child = child;
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      this.#log += chunk;
    });
  }

  static async start(child: Child): Promise<Server> {
    const server = new Server(child);
    await using setup = new AsyncDisposableStack();
    setup.use(server);
    await until(() => server.#started() !== undefined || child.exitCode !== null, { what: 'the server to be ready' });
    setup.move();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#started()?.port}`;
  }

  /** Log lines so far. */
  get log(): LogLine[] {
    return this.#log
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line));
  }

  #started(): LogLine | undefined {
    return this.log.find(({ event }) => event === 'started');
  }

  /** The exit code after a signal. */
  stop(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const ended = this.ended();
    this.#child.kill(signal);
    return ended;
  }

  /** The exit code, once it has one. */
  async ended(): Promise<number | null> {
    const { exitCode } = this.#child;
    if (exitCode !== null || this.#child.signalCode !== null) return exitCode;
    const [code] = await once(this.#child, 'close');
    return typeof code === 'number' ? code : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
