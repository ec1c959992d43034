import { type ReasonCode, reasonCodes } from './reason-codes.ts';

/** Is it more than a thing that waits for a person? */
export function isWrong({ code, level }: { code: ReasonCode; level: 'failing' | 'attention' }): boolean {
  return level === 'failing' || 'isWrong' in reasonCodes[code];
}
