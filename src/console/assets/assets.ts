import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { programFile } from '../../platform/program-file.ts';
import { html } from '../../web/html.ts';

type Asset = { type: string; content: Buffer };

const dot = (colour: string): Asset => ({
  type: 'image/svg+xml',
  content: Buffer.from(html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="7" fill="${colour}"></circle></svg>`.markup),
});

const file = (name: string, type: string): Asset => ({ type, content: readFileSync(programFile(`console/assets/${name}`)) });

const assets: Readonly<Record<string, Asset>> = {
  'style.css': file('style.css', 'text/css; charset=utf-8'),
  'live.js': file('live.js', 'text/javascript; charset=utf-8'),
  'copy.js': file('copy.js', 'text/javascript; charset=utf-8'),
  'passkey.js': file('passkey.js', 'text/javascript; charset=utf-8'),
  'renew.js': file('renew.js', 'text/javascript; charset=utf-8'),
  'dot-ok.svg': dot('#1d7a4c'),
  'dot-attention.svg': dot('#c77700'),
  'dot-failing.svg': dot('#c0271f'),
  'dot-quiet.svg': dot('#6b7885'),
};

const paths = new Map(
  Object.entries(assets).map(([name, { content }]) => [name, `${createHash('sha256').update(content).digest('base64url').slice(0, 10)}-${name}`] as const),
);
const byPath = new Map<string, string>([...paths].map(([name, path]) => [path, name]));

/** Where a browser finds a file of the pages: the address changes with its content, so it may be kept for good. `below`: whose pages they are. */
export function assetPath(name: string, below: '/console' | '/connect' = '/console'): string {
  return `${below}/assets/${paths.get(name) ?? name}`;
}

/** The file at the last part of such an address; null: there is none, or it has changed. */
export function assetAt(path: string): Asset | null {
  const name = byPath.get(path);
  return name === undefined ? null : (assets[name] ?? null);
}
