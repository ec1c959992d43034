import { Command, Option } from 'commander';
import type { Core } from '../../app/core.ts';
import { PERSON_ROLES, type PersonRole } from '../../contract/person-role.ts';
import type { ListedPerson } from '../../operations/people/people.ts';
import { type CliContext, cliActor } from '../../platform/terminal/context.ts';
import { localOrNone, localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { several } from '../input/arguments.ts';
import { withCore } from '../with-core.ts';

const PERSON = ['<person>', 'e-mail address or id, from `orderbridge people list`'] as const;

export function peopleCommand(context: CliContext): Command {
  const people = new Command('people').description('Says who may sign in to the console, and what they may do there.');
  people.addCommand(addCommand(context));
  people
    .command('list')
    .summary('list who may sign in')
    .description('Lists who may sign in to the console, with role, shops, sessions, and links that were not used yet.')
    .option('--json', 'print JSON: an array of people')
    .action((options: Json) => withCore(context, (core) => list(context, core, options)));
  people
    .command('reset')
    .argument(...PERSON)
    .summary('take a password away, and print a link to choose another')
    .description('Takes the password of a person away, ends their sessions, and prints a link by which they choose another, once, within 3 days.')
    .option('--json', 'print JSON: id, link')
    .action((person: string, options: Json) => withCore(context, (core) => reset(context, core, { person, ...options })));
  people
    .command('reset-factor')
    .argument(...PERSON)
    .summary('take the second step of a sign-in away')
    .description(
      'For somebody who lost phone and recovery codes: their app and passkeys no longer count, they sign in without a second step, and their sessions end. Owners are mailed.',
    )
    .action((person: string) => withCore(context, (core) => resetFactorOf(context, core, person)));
  for (const isDisabled of [true, false]) people.addCommand(disableCommand(context, isDisabled));
  return people;
}

function addCommand(context: CliContext): Command {
  return new Command('add')
    .argument('<email>', 'their e-mail address')
    .summary('let somebody in, and print the link to choose a password')
    .description(
      'Lets somebody sign in to the console, and prints a link by which they choose a password, once, within 3 days. Nothing is mailed to them; owners are, if it is one more.',
    )
    .addOption(new Option('--role <role>', 'what they may do').choices([...PERSON_ROLES]).makeOptionMandatory())
    .option('--name <name>', 'as others see them', '')
    .addOption(new Option('--lang <lang>', 'language of their pages').choices(['en', 'bg']).default('en'))
    .option('--shop <id>', 'with --role accountant: a shop of the compliance service that they see, several times for several; without it, all', several)
    .option('--json', 'print JSON: id, link')
    .action((email: string, options: AddOptions) => withCore(context, (core) => add(context, core, { email, ...options })));
}

function disableCommand(context: CliContext, isDisabled: boolean): Command {
  return new Command(isDisabled ? 'disable' : 'enable')
    .argument(...PERSON)
    .summary(isDisabled ? 'revoke somebody’s access' : 'restore somebody’s access')
    .description(
      isDisabled
        ? 'Revokes somebody’s access: their sessions and links end. What they did stays in the audit log. The last owner can’t be disabled.'
        : 'Lets somebody who was disabled sign in again, with their old password.',
    )
    .action((person: string) => withCore(context, (core) => switchPerson(context, core, { person, isDisabled })));
}

type AddOptions = { role: PersonRole; name: string; lang: 'en' | 'bg'; shop?: string[]; json?: true };

type Json = { json?: true };

async function add(context: CliContext, core: Core, { email, role, name, lang, shop, json }: AddOptions & { email: string }): Promise<void> {
  const { pool, config } = core;
  const { consoleBase } = await import('../../app/addresses.ts');
  const { addPerson } = await import('../../operations/people/people.ts');
  const { person, link } = await addPerson({ pool }, { email, role, name, lang, shops: shop ?? null, by: cliActor() });
  const url = `${await consoleBase(config)}${link}`;
  if (json) printJson(context, { id: person.id, link: url });
  else printLines(context, [`${email} is ${role === 'viewer' ? 'a' : 'an'} ${role} now. They choose a password here, once, within 3 days:`, url]);
}

async function reset(context: CliContext, core: Core, { person: named, json }: Json & { person: string }): Promise<void> {
  const { pool, config } = core;
  const { consoleBase } = await import('../../app/addresses.ts');
  const { knownPerson, resetPassword } = await import('../../operations/people/people.ts');
  const person = await knownPerson({ pool }, named);
  const { link } = await resetPassword({ pool }, person, { by: cliActor() });
  const url = `${await consoleBase(config)}${link}`;
  if (json) printJson(context, { id: person.id, link: url });
  else printLines(context, [`The password of ${person.email} is taken away. They choose another here, once, within 3 days:`, url]);
}

async function resetFactorOf(context: CliContext, core: Core, named: string): Promise<void> {
  const { knownPerson } = await import('../../operations/people/people.ts');
  const { resetFactor } = await import('../../operations/people/second-factor.ts');
  const person = await knownPerson(core, named);
  await resetFactor(core, person, { by: cliActor() });
  printLines(context, [`${person.email} no longer has a second step; if their role needs one, the next sign-in asks for a new one.`]);
}

async function list(context: CliContext, { pool }: Core, { json }: Json): Promise<void> {
  const { listPeople } = await import('../../operations/people/people.ts');
  const people = await listPeople({ pool });
  if (json) return printJson(context, people);
  if (people.length === 0) return printLines(context, ['Nobody can sign in yet: `orderbridge people add --role owner EMAIL` lets somebody in.']);
  const rows = people.map((person) => [
    person.email,
    person.name,
    person.role,
    person.shops === null ? 'all' : person.shops.join(' '),
    localOrNone(person.seenAt),
    String(person.sessions),
    stateOf(person),
    person.id,
  ]);
  printTable(context, {
    header: ['email', 'name', 'role', 'shops', 'seen', 'sessions', 'state', 'id'],
    rows,
    give: ['shops', 'seen', 'name'],
    keep: ['email'],
  });
}

function stateOf({ isDisabled, hasPassword, linkUntil, issuer }: ListedPerson): string {
  if (isDisabled) return 'disabled';
  if (issuer !== null) return `by ${new URL(issuer).host}`;
  if (linkUntil !== null) return `has a link until ${localTime(linkUntil)}`;
  return hasPassword ? 'can sign in' : 'no password, no link';
}

async function switchPerson(context: CliContext, { pool }: Core, { person: named, isDisabled }: { person: string; isDisabled: boolean }): Promise<void> {
  const { knownPerson, setDisabled } = await import('../../operations/people/people.ts');
  const person = await knownPerson({ pool }, named);
  await setDisabled({ pool }, person, { isDisabled, by: cliActor() });
  printLines(context, [isDisabled ? `${person.email} can no longer sign in.` : `${person.email} may sign in again.`]);
}
