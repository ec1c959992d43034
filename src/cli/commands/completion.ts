import { Argument, Command, type Option } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';

export function completionCommand(context: CliContext): Command {
  return new Command('completion')
    .description(
      'Prints a script that completes commands, options and their values. ' +
        'bash: `source <(orderbridge completion bash)` in ~/.bashrc; zsh: the same with zsh in ~/.zshrc, after compinit; fish: `orderbridge completion fish > ~/.config/fish/completions/orderbridge.fish`.',
    )
    .addArgument(new Argument('<shell>', 'the shell that reads it').choices([...SHELLS]))
    .action((shell: Shell, _options: object, { parent }: Command) => {
      if (parent !== null) printLines(context, completionScript(parent, shell));
    });
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** One command or group of commands; `path`: the words that lead to it. */
type Node = { path: string; summary: string; subs: readonly string[]; options: readonly Option[] };

/** A script that completes what the program's commands and options are; nothing is run while a person types. */
function completionScript(program: Command, shell: Shell): string[] {
  const nodes = nodesOf(program, '');
  if (shell === 'fish') return fishScript(nodes);
  // zsh takes bash's functions.
  return [...(shell === 'zsh' ? ['autoload -U +X bashcompinit && bashcompinit'] : []), ...bashScript(nodes)];
}

function nodesOf(command: Command, path: string): Node[] {
  const subs = command.commands.map((sub) => sub.name());
  const options = command.createHelp().visibleOptions(command);
  const own = { path, summary: command.summary() || command.description(), subs, options };
  return [own, ...command.commands.flatMap((sub) => nodesOf(sub, `${path} ${sub.name()}`.trim()))];
}

const FUNCTION = `_orderbridge() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD - 1]} at= next word words=
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    next="\${at:+$at }$word"
    _orderbridge_words "$next" && at=$next
  done
  _orderbridge_values "$at" "$before" || _orderbridge_words "$at"
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _orderbridge orderbridge ./orderbridge`;

function bashScript(nodes: readonly Node[]): string[] {
  const words = nodes.map(({ path, subs, options }) => `    ${quoted(path)}) words=${quoted([...subs, ...options.flatMap(flagsOf)].join(' '))} ;;`);
  const values = nodes.flatMap(({ path, options }) =>
    options.flatMap((option) =>
      flagsOf(option).flatMap((flag) => (option.argChoices ? [`    ${quoted(`${path} ${flag}`)}) words=${quoted(option.argChoices.join(' '))} ;;`] : [])),
    ),
  );
  return [...caseOf('_orderbridge_words', '$1', words), ...caseOf('_orderbridge_values', '$1 $2', values), FUNCTION];
}

function caseOf(name: string, subject: string, cases: readonly string[]): string[] {
  return [`${name}() {`, `  case "${subject}" in`, ...cases, '    *) return 1 ;;', '  esac', '}'];
}

function flagsOf({ long, short }: Option): string[] {
  return [long, short].flatMap((flag) => (flag == null ? [] : [flag]));
}

const FISH_AT = [
  'function __orderbridge_at',
  '  set -l words (string match -v -- "-*" (commandline -opc)[2..])',
  '  set -l wanted (string split -n " " -- $argv[2])',
  '  set -l count (count $wanted)',
  '  test $argv[1] = group; and test (count $words) -ne $count; and return 1',
  '  test $count -eq 0; or test "$words[1..$count]" = "$wanted"',
  'end',
];

function fishScript(nodes: readonly Node[]): string[] {
  const summaries = new Map(nodes.map(({ path, summary }) => [path, summary]));
  return [...FISH_AT, ...nodes.flatMap((node) => fishNode(node, summaries))];
}

function fishNode({ path, subs, options }: Node, summaries: ReadonlyMap<string, string>): string[] {
  const kind = subs.length > 0 ? 'group' : 'leaf';
  const here = `complete -c orderbridge -n '__orderbridge_at ${kind} "${path}"'`;
  const commands = subs.map((sub) => `${here} -f -a ${sub} -d ${quoted(summaries.get(`${path} ${sub}`.trim()) ?? '')}`);
  return [...commands, ...options.flatMap((option) => fishOption(here, option))];
}

function fishOption(here: string, { long, short, argChoices, required, description }: Option): string[] {
  if (long == null) return [];
  const values = argChoices ? ` -x -a ${quoted(argChoices.join(' '))}` : required ? ' -r' : '';
  const letter = short == null ? '' : ` -s ${short.slice(1)}`;
  return [`${here} -l ${long.slice(2)}${letter}${values} -d ${quoted(description)}`];
}

function quoted(words: string): string {
  return `'${words.replaceAll("'", '’').replace(/\s+/g, ' ')}'`;
}
