import { setTimeout as sleep } from 'node:timers/promises';

/** Stands in for the thread that checks a file against the schema: it ends, or never answers, at a shop's domain of that name. */
export async function validateOnThread(xml: Uint8Array): Promise<unknown[]> {
  const text = Buffer.from(xml).toString('latin1');
  if (text.includes('dies.example')) process.exit(1);
  if (text.includes('busy.example')) for (;;);
  if (text.includes('hangs.example')) await sleep(2 ** 31 - 1);
  return [];
}
