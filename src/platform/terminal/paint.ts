import { WriteStream } from 'node:tty';
import { styleText } from 'node:util';
import type { CliContext } from './context.ts';

const styles = { good: 'green', busy: 'cyan', asks: 'yellow', bad: 'red', quiet: 'dim' } as const;

/** What a state or a mark says: fine, under way, a person is needed, wrong, or nothing to see to. */
export type Tone = keyof typeof styles;

export type Paints = Pick<CliContext, 'stdout'> & Partial<Pick<CliContext, 'env'>>;

/** The text in the colour of its tone, where standard output shows colours; else the text. NO_COLOR, FORCE_COLOR and TERM=dumb count. */
export function paint(out: Paints, text: string, tone: Tone | undefined): string {
  return tone === undefined || !showsColours(out) ? text : styleText(styles[tone], text, { validateStream: false });
}

function showsColours({ stdout, env = {} }: Paints): boolean {
  const isWanted = stdout.isTTY === true || env['FORCE_COLOR'] !== undefined;
  return isWanted && WriteStream.prototype.getColorDepth(env) > 2;
}
