import { type Command, Option } from 'commander';
import { LANGS, type Lang } from '../contract/said.ts';
import { type CliContext, CliError, EXIT_CONFIG } from '../platform/terminal/context.ts';

const VARIABLE = 'ORDERBRIDGE_LANG';

/** Before a command and after it; the help of each command leaves it out. */
export function langOption(): Option {
  return new Option('--lang <lang>', `language of what people are told (JSON stays as it is), before or after the command; else ${VARIABLE}, else en`).choices([
    ...LANGS,
  ]);
}

/** Every command takes it, but one that has a `--lang` of its own. */
export function takeLang(command: Command): void {
  if (!command.options.some(({ long }) => long === '--lang')) command.addOption(langOption().hideHelp());
}

/** The language for which a command was asked. */
export function langOf(program: Command, command: Command, { env }: Pick<CliContext, 'env'>): Lang {
  return askedOf(command) ?? program.opts<{ lang?: Lang }>().lang ?? fromEnvironment(env[VARIABLE]);
}

/** A group that lists by itself takes the option in place of its subcommand. */
function askedOf(command: Command): Lang | undefined {
  const isOurs = command.options.some(({ long, hidden }) => long === '--lang' && hidden);
  const asked = isOurs ? command.opts<{ lang?: Lang }>().lang : undefined;
  return asked ?? (command.parent === null ? undefined : askedOf(command.parent));
}

function fromEnvironment(value: string | undefined): Lang {
  if (value === undefined || value === '') return 'en';
  const lang = LANGS.find((one) => one === value);
  if (lang === undefined) throw new CliError(`${VARIABLE} is ${JSON.stringify(value)}, which is none of ${LANGS.join(', ')}`, EXIT_CONFIG);
  return lang;
}
