import { reasonCodes } from '../../src/operations/verdict/reason-codes.ts';
import { markdownTable } from './markdown-table.ts';

/** Everything that the verdict can name. */
export function reasonTable(): string[] {
  return markdownTable(
    ['code', 'level', 'what it means'],
    Object.entries(reasonCodes).map(([code, { level, means }]) => [`\`${code}\``, level, means]),
  );
}
