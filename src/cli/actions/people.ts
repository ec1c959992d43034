import { consoleBase } from '../../app/addresses.ts';
import type { Core } from '../../app/core.ts';
import { addPerson, knownPerson, type ListedPerson, listPeople, resetPassword, setDisabled } from '../../operations/people/people.ts';
import type { PersonRole } from '../../operations/people/rights.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { printJson, printLines, printTable } from '../../platform/terminal/print.ts';
import { cliActor } from '../actor.ts';

export type AddOptions = { role: PersonRole; name: string; lang: 'en' | 'bg'; shop?: string[]; json?: true };
export type Json = { json?: true };

type Added = AddOptions & { email: string };

export async function add(context: CliContext, { pool, config }: Core, { email, role, name, lang, shop, json }: Added): Promise<void> {
  const { person, link } = await addPerson({ pool }, { email, role, name, lang, shops: shop ?? null, by: cliActor() });
  const url = `${await consoleBase(config)}${link}`;
  if (json) printJson(context, { id: person.id, link: url });
  else printLines(context, [`${email} is ${role === 'viewer' ? 'a' : 'an'} ${role} now. They choose a password here, once, within 3 days:`, url]);
}

export async function reset(context: CliContext, { pool, config }: Core, { person: named, json }: Json & { person: string }): Promise<void> {
  const person = await knownPerson({ pool }, named);
  const { link } = await resetPassword({ pool }, person, { by: cliActor() });
  const url = `${await consoleBase(config)}${link}`;
  if (json) printJson(context, { id: person.id, link: url });
  else printLines(context, [`The password of ${person.email} is taken away. They choose another here, once, within 3 days:`, url]);
}

export async function list(context: CliContext, { pool }: Core, { json }: Json): Promise<void> {
  const people = await listPeople({ pool });
  if (json) return printJson(context, people);
  if (people.length === 0) return printLines(context, ['Nobody can sign in yet: `orderbridge people add --role owner EMAIL` lets somebody in.']);
  const rows = people.map((person) => [
    person.email,
    person.name,
    person.role,
    person.shops === null ? 'all' : person.shops.join(' '),
    person.seenAt === null ? null : localTime(person.seenAt),
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

export async function settle(context: CliContext, { pool }: Core, { person: named, isDisabled }: { person: string; isDisabled: boolean }): Promise<void> {
  const person = await knownPerson({ pool }, named);
  await setDisabled({ pool }, person, { isDisabled, by: cliActor() });
  printLines(context, [isDisabled ? `${person.email} can’t sign in any more.` : `${person.email} may sign in again.`]);
}
