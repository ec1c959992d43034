import type { Reason, Verdict } from '../../operations/verdict/verdict.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import type { Line } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { plural } from './plural.ts';
import { levelTone } from './tones.ts';

/** The verdict for people: its words first, then a block for each reason, with local times. */
export function verdictText(verdict: Verdict): Line[] {
  const first = levelLine(verdict.verdict, firstLine(verdict));
  return [first, ...verdict.reasons.flatMap((reason) => ['', ...block(reason)])];
}

function firstLine({ verdict, reasons }: Verdict): string {
  if (verdict === 'ok') return 'ok: all is well.';
  const failing = reasons.filter(({ level }) => level === 'failing').length;
  const others = reasons.length - failing;
  return failing === 0
    ? `attention: orders are recorded as they come; ${plural(others, 'thing needs', 'things need')} a look.`
    : `failing: orders can’t be recorded, or a legal term is past, for ${plural(failing, 'reason')}${others === 0 ? '' : `; ${plural(others, 'thing needs', 'things need')} a look besides`}.`;
}

function levelLine(level: Verdict['verdict'], text: string): Line {
  return { text, word: level, tone: levelTone(level) };
}

function block(reason: Reason): Line[] {
  const { code, level, count, total, since, words, verb } = reason;
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
