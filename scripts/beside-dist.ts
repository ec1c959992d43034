/** Leaves in package.json those dependencies alone that are not in `dist`, so that `npm prune` removes the others. For the image; its bill of materials names all. */
import { readFileSync, writeFileSync } from 'node:fs';
import { BESIDE } from './build/bundle.ts';

const { dependencies, ...manifest } = JSON.parse(readFileSync('package.json', 'utf8'));
const beside = Object.entries(dependencies).filter(([name]) => BESIDE.test(name));
writeFileSync('package.json', JSON.stringify({ ...manifest, dependencies: Object.fromEntries(beside) }));
