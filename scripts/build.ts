import { join } from 'node:path';
import { build } from './build/build.ts';

const made = await build(join(import.meta.dirname, '..'));
console.log(made === 'built' ? 'built dist' : 'dist is built of these sources already');
