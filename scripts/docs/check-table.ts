import { checkCodes } from '../../src/operations/health/checks.ts';
import { markdownTable } from './markdown-table.ts';

/** Everything that the health status can name. */
export function checkTable(): string[] {
  return markdownTable(
    ['code', 'level', 'what it means'],
    Object.entries(checkCodes).map(([code, { level, en }]) => [`\`${code}\``, level, en]),
  );
}
