import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { until } from '../../test/support/worlds/settled.ts';

type Variables = Record<string, string>;
/** `at`: the time on its clock at its start ("2026-10-20T10:00:00Z"); left out: the real time. */
type Running = { at?: string; env?: Variables };

export type OldServer = { url: string; stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> };

/** The program of a checkout, run as users run it, with everything impatient. */
export class OldProgram {
  readonly #bin: string;
  readonly #env: Variables;
  readonly #folder: string;

  /** `folder`: its DATA_DIR, and where its commands run. */
  constructor(checkout: string, folder: string, env: Variables) {
    this.#folder = folder;
    this.#bin = join(checkout, 'bin/orderbridge.mjs');
    this.#env = {
      DATA_DIR: folder,
      PORT: '0',
      BNB_RATES_URL: 'off',
      SETTLE_SECONDS: '0',
      SWEEP_SECONDS: '1',
      LEASE_SECONDS: '3',
      STALLED_SECONDS: '2',
      LOG_LEVEL: 'info',
      ...env,
    };
  }

  /** A file in the folder that commands can name. */
  async file(name: string, content: unknown): Promise<string> {
    await writeFile(join(this.#folder, name), JSON.stringify(content));
    return name;
  }

  /** Runs a command that must succeed; returns its output. */
  async run(args: readonly string[], running: Running = {}): Promise<string> {
    return (await this.bytes(args, running)).toString('utf8');
  }

  /** Its output, byte for byte. */
  async bytes(args: readonly string[], { at, env = {} }: Running = {}): Promise<Buffer> {
    const child = spawn(process.execPath, [this.#bin, ...args], {
      cwd: this.#folder,
      env: { ...this.#env, ...env, ...clock(at) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')]);
    if (code !== 0) throw new Error(`orderbridge ${args.join(' ')} ended with ${code}: ${err}`);
    return out;
  }

  async json<T>(args: readonly string[], running: Running = {}): Promise<T> {
    return JSON.parse(await this.run([...args, '--json'], running));
  }

  async start(role: string, { at, env = {} }: Running = {}): Promise<OldServer> {
    const options = { env: { ...this.#env, ...env, ...clock(at) }, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
    const child = spawn(process.execPath, [this.#bin, 'start', '--role', role], options);
    let log = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (log += chunk));
    const port = () => /"event":"started".*?"port":(\d+)/.exec(log)?.[1];
    await until(() => child.exitCode !== null || port() !== undefined, { what: 'the old program to be ready', timeoutMs: 30_000 });
    if (port() === undefined) throw new Error(`the old program ended with ${child.exitCode}: ${log}`);
    const stop = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
      const closed = once(child, 'close');
      child.kill(signal);
      await closed;
    };
    return { url: `http://127.0.0.1:${port()}`, stop };
  }
}

/** Sets the clock of a Node process, which goes on from there: a month's file needs a month that has ended recently. */
function clock(at: string | undefined): Variables {
  if (at === undefined) return {};
  const code = `const Real = Date, off = ${Date.parse(at) - Date.now()};
    globalThis.Date = class Date extends Real { constructor(...of) { if (of.length > 0) super(...of); else super(Real.now() + off); } static now() { return Real.now() + off; } };`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
