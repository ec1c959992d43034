import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { scratchDir } from './scratch-dir.ts';

/** A server on 127.0.0.1 whose certificate nobody vouches for. */
export async function startSelfSigned(): Promise<{ url: string } & AsyncDisposable> {
  await using dir = await scratchDir();
  const [key, cert] = [join(dir.path, 'key.pem'), join(dir.path, 'cert.pem')];
  const make = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', '/CN=shop.example'];
  execFileSync('openssl', [...make, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
