import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureBacklog } from './backlog.ts';
import { bridges } from './contestants.ts';
import { judge } from './judge.ts';
import { names } from './names.ts';
import { type Options, readOptions } from './options.ts';
import { print, type Results } from './report.ts';
import { measureRounds, say } from './rounds.ts';
import { openStage, type Stage } from './stage.ts';
import { measureStartup } from './startup.ts';

const options = readOptions(process.argv.slice(2));
if (options !== null) await bench(options);

async function bench(chosen: Options): Promise<void> {
  await using stage = await openStage(chosen);
  const measured: Omit<Results, 'options' | 'machine' | 'aims'> = { accept: {}, endToEnd: {}, steady: {}, backlog: null, startup: null };
  try {
    await measureRounds(stage, measured);
    Object.assign(measured, await measureOnce(stage));
  } finally {
    // A fault after half an hour leaves what was measured until then.
    report({ options: chosen, machine: machine(), ...measured, aims: judge(measured) });
  }
}

function report(results: Results): void {
  print(results);
  const { json } = results.options;
  if (json !== null) writeFileSync(json, `${JSON.stringify(results, null, 2)}\n`);
}

async function measureOnce(stage: Stage): Promise<Pick<Results, 'backlog' | 'startup'>> {
  const { parts, root, backlog: orders } = stage.options;
  if (parts.includes('startup')) say('start to ready');
  const startup = parts.includes('startup') ? await measureStartup(stage) : null;
  if (!parts.includes('backlog')) return { startup, backlog: null };
  say(`backlog of ${orders}`);
  return { startup, backlog: await measureBacklog(stage, bridges(root, { ...names, label: 'orderbridge' }).split.atOnce) };
}

function machine(): Results['machine'] {
  return { cpus: cpus().length, model: cpus()[0]?.model ?? 'unknown', node: process.version };
}
