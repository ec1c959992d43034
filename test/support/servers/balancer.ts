import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from '../worlds/settled.ts';
import { endProcess } from './end-process.ts';
import { freePort } from './free-port.ts';
import { scratchDir } from './scratch-dir.ts';

/** Where it takes requests. */
export type Balancer = { url: string } & AsyncDisposable;
type Kind = { program: string; file: string; whole(text: string, folder: string): string; args(path: string): string[] };

export const nginx: Kind = {
  program: '/usr/sbin/nginx',
  file: 'nginx.conf',
  whole: (text, folder) => `pid ${folder}/pid; error_log ${folder}/errors; events { } http { access_log off; client_body_temp_path ${folder}; ${text} }`,
  args: (path) => ['-c', path, '-g', 'daemon off;'],
};
export const haproxy: Kind = { program: '/usr/sbin/haproxy', file: 'haproxy.cfg', whole: (text) => text, args: (path) => ['-f', path] };

/** Runs a balancer by the recipe in `ops`, with other ports. */
export async function startBalancer({ program, file, whole, args }: Kind, receivers: readonly number[]): Promise<Balancer> {
  await using setup = new AsyncDisposableStack();
  const folder = setup.use(await scratchDir());
  const port = await freePort();
  const recipe = await readFile(join(import.meta.dirname, '../../../ops', file), 'utf8');
  const text = [[8080, port], ...receivers.map((each, i) => [3001 + i, each])].reduce((all, [from, to]) => all.replaceAll(`:${from}`, `:${to}`), recipe);
  const path = join(folder.path, file);
  await writeFile(path, whole(text, folder.path));
  const child = spawn(program, args(path), { stdio: 'inherit' });
  setup.defer(() => endProcess(child));
  await until(() => isOpen(port), { what: `${program} to listen` });
  const owned = setup.move();
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.once('close', () => socket.destroy()).end();
  });
}
