import { Command, Option } from 'commander';
import { PERSON_ROLES } from '../../operations/people/rights.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import type { AddOptions, Json } from '../actions/people.ts';
import { withCore } from '../with-core.ts';

const actions = () => import('../actions/people.ts');

const PERSON = ['<person>', 'e-mail address or id, from `orderbridge people list`'] as const;

/** `orderbridge people` */
export function peopleCommand(context: CliContext): Command {
  const people = new Command('people').description('Says who may sign in to the console, and what they may do there.');
  people.addCommand(addCommand(context));
  people
    .command('list')
    .summary('list who may sign in')
    .description('Lists who may sign in to the console, with role, shops, sessions, and links that were not used yet.')
    .option('--json', 'print JSON: an array of people')
    .action((options: Json) => withCore(context, async (core) => (await actions()).list(context, core, options)));
  people
    .command('reset')
    .argument(...PERSON)
    .summary('take a password away, and print a link to choose another')
    .description('Takes the password of a person away, ends their sessions, and prints a link by which they choose another, once, within 3 days.')
    .option('--json', 'print JSON: id, link')
    .action((person: string, options: Json) => withCore(context, async (core) => (await actions()).reset(context, core, { person, ...options })));
  for (const isDisabled of [true, false]) people.addCommand(disableCommand(context, isDisabled));
  return people;
}

function addCommand(context: CliContext): Command {
  return new Command('add')
    .argument('<email>', 'their e-mail address')
    .summary('let somebody in, and print the link to choose a password')
    .description('Lets somebody sign in to the console, and prints a link by which they choose a password, once, within 3 days. Nothing is mailed.')
    .addOption(new Option('--role <role>', 'what they may do').choices([...PERSON_ROLES]).makeOptionMandatory())
    .option('--name <name>', 'as others see them', '')
    .addOption(new Option('--lang <lang>', 'language of their pages').choices(['en', 'bg']).default('en'))
    .option('--shop <id>', 'with --role accountant: a shop of the compliance service that they see, several times for several; without it, all', several)
    .option('--json', 'print JSON: id, link')
    .action((email: string, options: AddOptions) => withCore(context, async (core) => (await actions()).add(context, core, { email, ...options })));
}

function several(value: string, before: string[] = []): string[] {
  return [...before, value];
}

function disableCommand(context: CliContext, isDisabled: boolean): Command {
  return new Command(isDisabled ? 'disable' : 'enable')
    .argument(...PERSON)
    .summary(isDisabled ? 'let somebody in no more' : 'let somebody in again')
    .description(
      isDisabled
        ? 'Lets somebody sign in no more: their sessions and links end. What they did stays in the trail. The last owner can’t be disabled.'
        : 'Lets somebody who was disabled sign in again, with the password of before.',
    )
    .action((person: string) => withCore(context, async (core) => (await actions()).settle(context, core, { person, isDisabled })));
}
