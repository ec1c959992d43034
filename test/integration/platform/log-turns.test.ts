import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const LOG = pathToFileURL('src/platform/log.ts').href;

/** What a process wrote that logs in one turn, and then ends so. */
function written(end: string): string[] {
  const script = `
    import { createLog } from '${LOG}';
    const log = createLog({ level: 'info', name: 'test' });
    for (const line of ['one', 'two']) log.info(line);
    log.warn('three');
    log.info('four');
    ${end}`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
}

test('lines are written in their order, the last ones before the process ends by itself', () => {
  expect(written('')).toEqual(['one', 'two', 'three', 'four']);
});

test('a process that is killed has written what warns, and what came before', () => {
  expect(written(`process.kill(process.pid, 'SIGKILL');`)).toEqual(['one', 'two', 'three']);
});

test('a full disk below the log ends nothing, nor does it throw into those who log', () => {
  const script = `
    import fs from 'node:fs';
    import { createLog } from '${LOG}';
    const log = createLog({ level: 'info', name: 'test' });
    log.info('one');
    setTimeout(() => { log.warn('two'); fs.writeSync(2, 'goes on'); }, 5);`;
  const { status, stderr } = spawnSync('sh', ['-c', '"$0" --input-type=module --eval "$1" > /dev/full', process.execPath, script], { encoding: 'utf8' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: 'goes on' });
});

test('once there is room again, what could not be written comes first', () => {
  const end = `
    const { default: fs } = await import('node:fs');
    const { writeSync } = fs;
    fs.writeSync = () => { throw Object.assign(new Error('full'), { code: 'ENOSPC' }); };
    log.warn('five');
    fs.writeSync = writeSync;
    log.warn('six');`;

  expect(written(end)).toEqual(['one', 'two', 'three', 'four', 'five', 'six']);
});
