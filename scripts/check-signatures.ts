/**
 * Are the packages of the lock file those that their registry signed? `npm run signatures`, after `npm ci`. Exit code 1: one is not, or is not signed as it
 * should be; 2: nothing was checked, since the registry or its keys could not be read.
 */
import { spawnSync } from 'node:child_process';

const { status, stdout, stderr } = spawnSync('npm', ['audit', 'signatures'], { encoding: 'utf8', timeout: 300_000 });
const said = `${stdout}${stderr}`.trim();
const isChecked = /audited \d+ package/.test(said);
console.log(said === '' ? 'npm said nothing' : said);
if (!isChecked) console.log('Nothing was checked: the registry, or its keys, can’t be read from here.');
process.exitCode = isChecked ? (status ?? 1) : 2;
