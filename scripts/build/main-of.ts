/** The text of `dist/main.js`, which starts the build of that name. */
export function mainOf(name: string): string {
  return `import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Where nothing can be written Node says so in what this returns, and compiles at each start.
enableCompileCache(join(import.meta.dirname, '${name}', 'compiled'));
await import('./${name}/modules/main.js');
`;
}
