/** Vitest's global set-up: stops at once where the tests would run on a Node that the product does not run on. */
export function setup(): void {
  const major = Number(process.versions.node.split('.')[0]);
  if (major === 24) return;
  throw new Error(
    `The tests need Node 24, this is ${process.version}. Run them with \`npm test\` or \`npx vitest run FILE\`, which use the Node of node_modules.`,
  );
}
