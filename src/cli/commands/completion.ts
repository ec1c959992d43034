import { Argument, Command } from 'commander';
import type { CliContext } from '../../platform/terminal/context.ts';
import { printLines } from '../../platform/terminal/print.ts';
import { completionScript, SHELLS, type Shell } from '../text/completion-script.ts';

/** `orderbridge completion` */
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
