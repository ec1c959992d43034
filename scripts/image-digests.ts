/**
 * The digest of each image that Dockerfile and docker-compose.yml name by a version: `npm run digests` prints it as its registry shows it now, and with
 * `--write` writes it behind the version (`redis:8.2.1-alpine@sha256:…`). One that could not be read is named, nothing is written for it, and the exit code is 1.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const FILES = ['Dockerfile', 'docker-compose.yml'];
/** Of the images of others: official ones of Docker Hub. */
const NAMED = /^(?<before>\s*(?:FROM|image:)\s+)(?<image>[a-z][a-z0-9]*):(?<tag>\d[\w.-]*)(?:@sha256:[0-9a-f]{64})?/gm;
const TYPES = 'application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json';
const answer = z.object({ token: z.string() });
const root = join(import.meta.dirname, '..');

async function digestOf(image: string, tag: string): Promise<string> {
  const signal = AbortSignal.timeout(20_000);
  const scope = `https://auth.docker.io/token?service=registry.docker.io&scope=repository:library/${image}:pull`;
  const { token } = answer.parse(await (await fetch(scope, { signal })).json());
  const headers = { authorization: `Bearer ${token}`, accept: TYPES };
  const response = await fetch(`https://registry-1.docker.io/v2/library/${image}/manifests/${tag}`, { method: 'HEAD', headers, signal });
  const digest = response.headers.get('docker-content-digest');
  if (!response.ok || digest === null || !/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`the registry answers ${response.status}`);
  return digest;
}

const read = new Map<string, string>();
for (const file of FILES) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  for (const { groups: { image = '', tag = '' } = {} } of text.matchAll(NAMED)) {
    const name = `${image}:${tag}`;
    // Our own image is built, not fetched.
    if (image === 'orderbridge' || read.has(name)) continue;
    const digest = await digestOf(image, tag).catch((thrown: unknown) => {
      console.log(`${name}: not read (${thrown instanceof Error ? thrown.message : thrown})`);
      process.exitCode = 1;
      return '';
    });
    read.set(name, digest);
    if (digest !== '') console.log(`${name}@${digest}`);
  }
  if (!process.argv.includes('--write')) continue;
  const written = text.replace(NAMED, (...found) => {
    const { before, image, tag } = found.at(-1);
    const digest = read.get(`${image}:${tag}`) ?? '';
    return digest === '' ? found[0] : `${before}${image}:${tag}@${digest}`;
  });
  if (written !== text) writeFileSync(path, written);
}
