import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The address of the same database for the superuser of an embedded PostgreSQL, who may do what the program may not. */
export async function superuserUrl(dataDir: string, url: string): Promise<string> {
  const address = new URL(url);
  address.username = 'postgres';
  address.password = (await readFile(join(dataDir, 'postgres.superuser'), 'utf8')).trim();
  return address.href;
}
