import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { scratchDir } from './scratch-dir.ts';

type SelfSigned = { url: string; requests: number } & AsyncDisposable;

type Certificate = { key: string; cert: string };

const made = new Map<string, Promise<Certificate>>();

/** A certificate for this name, which may begin with `*.`; the same as long as this process lives. */
export function certificateFor(name: string): Promise<Certificate> {
  const known = made.get(name) ?? makeCertificate(name);
  made.set(name, known);
  return known;
}

async function makeCertificate(name: string): Promise<Certificate> {
  await using dir = await scratchDir();
  const [key, cert] = [join(dir.path, 'key.pem'), join(dir.path, 'cert.pem')];
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', `/CN=${name}`];
  execFileSync('openssl', [...make, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

/** A server on 127.0.0.1 whose certificate nobody vouches for. `requests`: those that came so far. */
export async function startSelfSigned(answer = (response: ServerResponse, _count: number): unknown => response.end('{}')): Promise<SelfSigned> {
  const server = createServer(await certificateFor('shop.example'), (_request, response) => {
    started.requests += 1;
    answer(response, started.requests);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const started = {
    url: `https://127.0.0.1:${port}`,
    requests: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return started;
}
