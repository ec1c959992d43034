import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedDocs } from './docs/generated-docs.ts';

const root = join(import.meta.dirname, '..');
for (const { path, text } of await generatedDocs(root)) writeFileSync(join(root, path), text);
