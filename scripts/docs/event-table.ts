import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { alertEvents } from '../../test/support/samples/alert-events.ts';
import { bridgeEvents } from '../../test/support/samples/bridge-events.ts';
import { type LoggedEvent, linesOf } from '../../test/support/samples/logged-events.ts';
import { serviceEvents } from '../../test/support/samples/service-events.ts';
import { markdownTable } from './markdown-table.ts';

const programs: Readonly<Record<string, readonly LoggedEvent[]>> = {
  'src/bridge/bridge-events.ts': bridgeEvents,
  'src/bridge/alerts/alert-events.ts': alertEvents,
  'src/service/service-events.ts': serviceEvents,
};

type Row = Record<'levels' | 'fields' | 'words', Set<string>> & { comment: string };

/** Every line of the log, as the functions of events write it, with their comments. `root` is the folder of the repository. */
export function eventTable(root: string): string[] {
  const rows = new Map<string, Row>();
  for (const [path, events] of Object.entries(programs)) {
    const source = readFileSync(join(root, path), 'utf8');
    for (const event of events) addLine(rows, event, source);
  }
  return markdownTable(
    ['event', 'level', 'fields', 'what'],
    [...rows].map(([name, { levels, fields, words, comment }]) => [
      name,
      [...levels].join(', '),
      [...fields].join(', '),
      [...words, comment].join('. ').replace(/^\. |\. $/g, ''),
    ]),
  );
}

function addLine(rows: Map<string, Row>, [what, write]: LoggedEvent, source: string): void {
  const { level, event, msg, ...fields } = linesOf(write)[0] ?? {};
  // A line without a name is known by its words.
  const name = event === undefined ? `“${msg}”` : `\`${event}\``;
  const row = rows.get(name) ?? { levels: new Set(), fields: new Set(), words: new Set(), comment: commentOf(what, source) };
  rows.set(name, row);
  row.levels.add(String(level));
  for (const field of Object.keys(fields)) row.fields.add(`\`${field}\``);
  if (event !== undefined && msg !== undefined) row.words.add(String(msg));
}

function commentOf(what: string, source: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\nexport function ${what}\\(`).exec(source)?.[1] ?? '';
  return comment.replaceAll(/\n \*/g, '').trim().replace(/\.$/, '');
}
