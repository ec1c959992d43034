import { type Disposition, failures } from '../../src/bridge/order/facts/failure.ts';
import { describeEnvironment } from '../../src/config/environment.ts';
import { problems } from '../../src/service/http/http-problem.ts';
import { checkTable } from './check-table.ts';
import { commandList } from './command-manual.ts';
import { describeSettings } from './configuration-tables.ts';
import { eventTable } from './event-table.ts';
import { markdownTable } from './markdown-table.ts';
import { metricTable } from './metric-table.ts';

/** The tables of docs/reference/metrics-and-events.md, by the name of their place. `root` is the folder of the repository. */
export async function referenceSections(root: string): Promise<Record<string, readonly string[]>> {
  return {
    commands: await commandTable(),
    variables: variableTable(),
    settings: settingTable(),
    checks: checkTable(),
    failures: failureTable(),
    problems: problemTable(),
    metrics: await metricTable(),
    events: eventTable(root),
  };
}

async function commandTable(): Promise<string[]> {
  const rows = (await commandList()).map(({ name, summary }) => [`[\`${name}\`](commands.md#${name.replaceAll(' ', '-')})`, summary]);
  return markdownTable(['command', 'what it does'], rows);
}

function variableTable(): string[] {
  const rows = describeEnvironment().map(({ name, default: usual, secret }) => [`\`${name}\``, secret ? 'secret' : codeOf(usual)]);
  return markdownTable(['variable', 'default'], rows);
}

function settingTable(): string[] {
  const rows = Object.entries(describeSettings()).map(([name, { default: usual }]) => [
    `\`${name}\``,
    codeOf(usual === undefined ? null : JSON.stringify(usual)),
  ]);
  return markdownTable(['setting', 'default'], rows);
}

function failureTable(): string[] {
  const rows = Object.entries(failures).map(([code, { disposition }]) => [`\`${code}\``, consequences[disposition]]);
  return markdownTable(['code', 'consequence'], rows);
}

const consequences: Record<Disposition, string> = { reject: 'refused', review: 'needs review', tell: 'shown', pause: 'paused', retry: 'retried' };

function problemTable(): string[] {
  const rows = Object.entries(problems).map(([code, { status, title }]) => [`\`${code}\``, String(status), title]);
  return markdownTable(['code', 'status', 'means'], rows);
}

function codeOf(value: string | null): string {
  return value === null ? '' : `\`${value}\``;
}
