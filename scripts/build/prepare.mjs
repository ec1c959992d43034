// What npm runs at the end of `npm ci`, in plain JavaScript for any Node: it builds where it can. Elsewhere the sources run, on a Node that takes them, so it never fails.
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

try {
  const { build } = await import('./build.ts');
  await build(root);
} catch (thrown) {
  const [why] = thrown.message.split('\n');
  process.stderr.write(`orderbridge is not built: ${why}. Its sources run on Node 24.16 or newer, and start more slowly; "npm run build" builds it.\n`);
}
