import { siteProblems } from './site/site-problems.ts';

const problems = siteProblems(process.argv[2] ?? 'site');
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
