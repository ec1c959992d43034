import { runTests } from './run-tests.ts';

/** `npm test`; files that are named after `--` run alone. */
process.exitCode = runTests('tests', process.argv.slice(2));
