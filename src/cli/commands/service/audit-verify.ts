import { Command } from 'commander';
import type { CliContext } from '../../../platform/terminal/context.ts';

const actions = () => import('../../actions/service/audit-verify.ts');

/** `orderbridge service audit verify` */
export function auditVerifyCommand(context: CliContext): Command {
  return new Command('verify')
    .summary('check an audit file, also one of other software')
    .description(
      'Checks an audit file of any software: its encoding, its XML, the schema, and rules beyond it (docs/audit-file.md lists them). Every finding is ' +
        'shown with its line, the order’s number, the rule, and what to do. Needs no database. Exit code 1 if there are errors, 2 if the file can’t be read.',
    )
    .argument('<file>', 'the XML file')
    .option('--json', 'print JSON: file, header (null: not an audit file), sums, findings ({level, rule, line, order, words, advice}, errors first)')
    .action(async (file: string, { json }: { json?: true }) => (await actions()).verify(context, file, json === true));
}
