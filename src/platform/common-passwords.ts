import { readFileSync } from 'node:fs';
import { programFile } from './program-file.ts';

let known: ReadonlySet<string> | null = null;

/**
 * Is it, in small letters, among the 10,000 most common ones of twelve and more characters? From the ten million passwords of SecLists (MIT licence,
 * © 2018 Daniel Miessler), which are the first that somebody would try.
 */
export function isCommonPassword(lower: string): boolean {
  known ??= new Set(readFileSync(programFile('platform/common-passwords.txt'), 'utf8').split(/\s/));
  return known.has(lower);
}
