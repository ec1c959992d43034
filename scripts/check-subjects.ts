import { execFileSync } from 'node:child_process';
import { LEFT } from './words/left-words.ts';

/** `npm run subjects [-- COUNT]`: warnings for subjects of the last commits that are not `area: change`, or have a word that was left. Never fails: commits stay. */
const count = process.argv[2] ?? '30';
const subjects = execFileSync('git', ['log', '--no-merges', `--max-count=${count}`, '--format=%s'], { encoding: 'utf8' })
  .trim()
  .split('\n');
for (const subject of subjects) {
  if (!/^[a-z0-9][\w./ -]*: \S/.test(subject)) console.log(`warning: commit “${subject}”: write it as “area: change”`);
  // What a commit renames it may name.
  const words = / not /.test(subject) ? [] : (subject.toLowerCase().match(/[a-z]+/g) ?? []);
  for (const word of words) if (Object.hasOwn(LEFT, word)) console.log(`warning: commit “${subject}”: “${word}” is called ${LEFT[word]} now`);
}
