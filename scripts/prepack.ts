/**
 * What `npm pack` runs first: one build alone in `dist`, the versions that were tested as the package's shrinkwrap, and its bill of materials
 * (CycloneDX). `--undo` removes what is only for the package.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build/build.ts';

const root = join(import.meta.dirname, '..');
const SHRINKWRAP = join(root, 'npm-shrinkwrap.json');
const MATERIALS = join(root, 'dist/bom.cdx.json');

if (process.argv.includes('--undo')) {
  rmSync(SHRINKWRAP, { force: true });
  rmSync(MATERIALS, { force: true });
} else {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await build(root);
  writeFileSync(MATERIALS, execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, maxBuffer: 2 ** 26 }));
  copyFileSync(join(root, 'package-lock.json'), SHRINKWRAP);
}
