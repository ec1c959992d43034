import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchDir } from './scratch-dir.ts';

export type OwnAuthority = {
  /** Its certificate, in PEM. */
  ca: string;
  /** Settings of a Redis or Sentinel at this address whose certificate it signed. */
  settings: readonly [name: string, value: string][];
} & AsyncDisposable;

/** An authority that no system knows, and a certificate of 127.0.0.1 that it signed. */
export async function ownAuthority(): Promise<OwnAuthority> {
  const folder = await scratchDir();
  const [ca, caKey, cert, key] = ['ca.pem', 'ca-key.pem', 'cert.pem', 'key.pem'].map((name) => join(folder.path, name)) as [string, string, string, string];
  const make = (...args: string[]) =>
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', ...args], {
      stdio: 'ignore',
    });
  make('-subj', '/CN=authority', '-keyout', caKey, '-out', ca);
  make('-subj', '/CN=redis', '-addext', 'subjectAltName=IP:127.0.0.1', '-CA', ca, '-CAkey', caKey, '-keyout', key, '-out', cert);
  return {
    ca: readFileSync(ca, 'utf8'),
    settings: [
      ['tls-cert-file', cert],
      ['tls-key-file', key],
      ['tls-ca-cert-file', ca],
      ['tls-auth-clients', 'no'],
      ['tls-replication', 'yes'],
    ],
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
