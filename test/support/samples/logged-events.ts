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
