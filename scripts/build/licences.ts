import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of a package, below the folder of its own. */
const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const TEXTS = /^(licen[cs]e|copying|notice)/i;

/** What the packages of these modules ask to be kept with every copy of them: the text of a file. */
export function licencesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []));
  return [...folders].sort().map(licenceOf).join('\n');
}

function licenceOf(folder: string): string {
  const { name, version, license, author }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder).filter((file) => TEXTS.test(file));
  const by = typeof author === 'string' ? author : (author?.name ?? 'its authors');
  const said = texts.length > 0 ? texts.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n') : `Copyright ${by}`;
  return `${name} ${version}: ${license}\n\n${said}\n\n${'-'.repeat(80)}\n`;
}

type Manifest = { name: string; version: string; license: string; author?: string | { name: string } };
