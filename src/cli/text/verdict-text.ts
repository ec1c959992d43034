import type { Reason, Verdict } from '../../operations/verdict/verdict.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import type { Line } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { levelTone } from './tones.ts';

/** The verdict for people: its words first, then a block for each reason, with local times. */
export function verdictText(verdict: Verdict): Line[] {
  return [levelLine(verdict.verdict, firstLine(verdict)), ...verdict.reasons.flatMap((reason) => ['', ...block(reason)])];
}

function firstLine({ verdict, reasons }: Verdict): string {
  if (verdict === 'ok') return 'ok: all is well.';
  const failing = reasons.filter(({ level }) => level === 'failing').length;
  const others = reasons.length - failing;
  if (failing === 0) return `attention: orders are recorded as they come; ${things(others)} a look.`;
  const more = others === 0 ? '' : `; ${things(others)} a look besides`;
  return `failing: orders can’t be recorded, or a legal term is past, for ${failing === 1 ? '1 reason' : `${failing} reasons`}${more}.`;
}

function things(count: number): string {
  return count === 1 ? '1 thing needs' : `${count} things need`;
}

function levelLine(level: Verdict['verdict'], text: string): Line {
  return { text, word: level, tone: levelTone(level) };
}

function block({ code, level, count, total, since, words, verb }: Reason): Line[] {
  const facts = [
    ...(since === null ? [] : [`since ${localTime(since)}`]),
    ...(count === null ? [] : [`count ${count}`]),
    ...(total === null ? [] : [`sum ${total}`]),
  ];
  return [
    levelLine(level, `${level}  ${code}`),
    `  ${withLocalTimes(oneLine(words))}`,
    ...(facts.length === 0 ? [] : [`  ${facts.join(', ')}`]),
    ...(verb === null ? [] : [`  $ orderbridge ${oneLine(verb)}`]),
  ];
}
