/** Checks a Dockerfile without a container engine; exit code 1 if it has a problem. `node scripts/lint-dockerfile.ts Dockerfile` */
import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';

const path = process.argv[2] ?? 'Dockerfile';
const problems = validate(readFileSync(path, 'utf8'));
for (const { range, message } of problems) console.error(`${path}:${range.start.line + 1} ${message}`);
if (problems.length > 0) process.exitCode = 1;
else console.log(`${path}: no problem found`);
