import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from './markdown-table.ts';

/** A requirement of OWASP ASVS 5.0.0. `where`, `tests`: files that show it. `why`: it is not applicable, or was left; `instead`: what compensates then. */
export type AsvsRow = {
  requirement: string;
  level: string;
  state: string;
  subject: string;
  where: readonly string[];
  tests: readonly string[];
  why: string;
  instead: string;
};

const CHAPTERS: Readonly<Record<string, string>> = {
  ...{ 1: 'Encoding and sanitization', 2: 'Validation and business logic', 3: 'Web frontend', 4: 'API and web service', 5: 'Files' },
  ...{ 6: 'Authentication', 7: 'Sessions', 8: 'Authorization', 9: 'Self-contained tokens', 10: 'OAuth and OIDC', 11: 'Cryptography' },
  ...{ 12: 'Communication', 13: 'Configuration', 14: 'Data protection', 15: 'Secure coding', 16: 'Logs and errors', 17: 'WebRTC' },
};

/** `docs/reference/asvs.tsv`: a line for each requirement of the levels 1 and 2, below the names of its columns. */
export function readAsvs(root: string): AsvsRow[] {
  const [, ...lines] = readFileSync(join(root, 'docs/reference/asvs.tsv'), 'utf8').replace(/\n$/, '').split('\n');
  return lines.map((line) => {
    const [requirement = '', level = '', state = '', subject = '', where = '', tests = '', why = '', instead = ''] = line.split('\t');
    const paths = (cell: string) => cell.split(' ').filter((path) => path !== '');
    return { requirement, level, state, subject, where: paths(where), tests: paths(tests), why, instead };
  });
}

/** How many of each state, then a table for each chapter. */
export function asvsTable(rows: readonly AsvsRow[]): string[] {
  const states = ['holds', 'not applicable', 'left'];
  const count = (state: string, level: string) => String(rows.filter((row) => row.state === state && row.level === level).length);
  const counts = markdownTable(
    ['', ...states],
    ['1', '2'].map((level) => [`level ${level}`, ...states.map((state) => count(state, level))]),
  );
  const chapters = Map.groupBy(rows, ({ requirement }) => requirement.replace(/\..*/, ''));
  return [...counts, ...[...chapters].flatMap(([chapter, of]) => ['', `**V${chapter} ${CHAPTERS[chapter]}**`, '', ...chapterTable(of)])];
}

function chapterTable(rows: readonly AsvsRow[]): string[] {
  const code = (paths: readonly string[]) => paths.map((path) => `\`${path}\``).join(', ');
  return markdownTable(
    ['requirement', 'level', 'subject', 'state', 'where', 'tests', 'why; what compensates'],
    rows.map(({ requirement, level, subject, state, where, tests, why, instead }) => {
      const words = [why, instead].filter((part) => part !== '').join('; ');
      return [requirement, level, subject, state, code(where), code(tests), words];
    }),
  );
}
