import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog, type Log } from '../../../src/platform/log.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The name of an event's function, a call of it, and the line that it must write. */
export type LoggedEvent = [what: string, write: (log: Log) => void, line: Fields & { level: string; event?: string; msg?: string }];

/** Every line that was written, without the name of the program and the time. */
export function linesOf(write: (log: Log) => void): Fields[] {
  const lines: Fields[] = [];
  write(createLog({ level: 'trace', name: 'test', destination: { write: (line) => lines.push(shown(JSON.parse(line))) } }));
  return lines;
}

// An error counts by its presence alone.
function shown({ name: _name, time: _time, err, ...line }: Record<string, unknown>): Fields {
  return err === undefined ? line : { ...line, err: 'an error' };
}

type Listed = { levels: Set<string>; fields: Set<string> };

/** How docs/operations.md lists these events: name, or words where there is none, levels, fields. */
export function docsRows(events: readonly LoggedEvent[]): string[] {
  const listed = new Map<string, Listed>();
  for (const [, , { level, event, msg, ...fields }] of events) {
    const name = event === undefined ? `“${msg}”` : `\`${event}\``;
    const row = listed.get(name) ?? { levels: new Set(), fields: new Set() };
    listed.set(name, row);
    row.levels.add(level);
    for (const field of Object.keys(fields)) row.fields.add(`\`${field}\``);
  }
  return [...listed].map(([name, { levels, fields }]) => `| ${name} | ${[...levels].join(', ')} | ${[...fields].join(', ') || '–'} |`);
}

/** The rows of the events table of docs/operations.md, to their third column. */
export function rowsInDocs(): string[] {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const section = /## The log\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';
  return [...section.matchAll(/^(\| [`“].* \|) [^|]+ \|$/gm)].map(([, row = '']) => row);
}
