import type { Argument, Command } from 'commander';

/** A command in the help of the one above it: as the library has it, but for options that no help shows. */
export function subcommandTerm(command: Command): string {
  const hasOptions = command.options.some(({ hidden }) => !hidden);
  const given = command.registeredArguments.map((one) => humanReadableArgName(one));
  return [command.name(), ...(hasOptions ? ['[options]'] : []), ...given].join(' ');
}

function humanReadableArgName(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}
