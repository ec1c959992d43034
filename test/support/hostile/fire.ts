import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { ANSWER_MS } from './hostile-limits.ts';
import type { Shot } from './shot.ts';

/** Sends one request; the status of its answer, 0 if there was none. */
export type Gun = (shot: Shot) => Promise<number>;

/** A client of the program at this address, with one connection that is used again as long as it is open. */
export function openGun(url: string): Gun & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(url);
  const fire: Gun = (shot) => (shot.half === undefined ? whole({ hostname, port, agent }, shot) : half({ hostname, port }, shot));
  return Object.assign(fire, { [Symbol.dispose]: () => agent.destroy() });
}

type Target = { hostname: string; port: string };

function whole({ hostname, port, agent }: Target & { agent: Agent }, { method, path, headers, body }: Shot): Promise<number> {
  return new Promise((resolve) => {
    const length = method === 'GET' ? {} : { 'content-length': String(body.length) };
    const sent = request({ hostname, port, agent, method, path, headers: { ...headers, ...length }, timeout: ANSWER_MS }, (response) => {
      response.resume();
      response.once('close', () => resolve(response.statusCode ?? 0));
    });
    sent.once('timeout', () => sent.destroy());
    // The answer may come before the body is sent, and the connection end: whichever is seen first.
    sent.once('error', () => setTimeout(() => resolve(0), 50));
    sent.end(method === 'GET' ? undefined : body);
  });
}

/** Sends a part, waits, and hangs up. */
function half({ hostname, port }: Target, { method, path, headers, body, half: part = { bytes: 0, waitMs: 0 } }: Shot): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const lines = Object.entries({ host: hostname, ...headers, 'content-length': String(body.length) }).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect({ host: hostname, port: Number(port) });
    const timer = setTimeout(() => socket.destroy(), part.waitMs);
    socket.once('data', (chunk: Buffer) => {
      status = Number(/^HTTP\/1\.1 (\d{3})/.exec(chunk.toString('latin1'))?.[1] ?? 0);
    });
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(status);
    });
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`);
    socket.write(body.subarray(0, part.bytes));
  });
}
