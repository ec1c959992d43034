import type { Reason, Verdict } from '../../operations/verdict/verdict.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import type { Line } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { en } from '../words/en.ts';
import { levelTone } from './tones.ts';

/** The verdict for people: its words first, then a block for each reason, with local times. */
export function verdictText(verdict: Verdict): Line[] {
  const first = levelLine(verdict.verdict, firstLine(verdict));
  return [first, ...verdict.reasons.flatMap((reason) => ['', ...block(reason)])];
}

function firstLine({ verdict, reasons }: Verdict): string {
  const { status } = en;
  if (verdict === 'ok') return status.ok;
  const failing = reasons.filter(({ level }) => level === 'failing').length;
  const others = reasons.length - failing;
  return failing === 0 ? status.attention(others) : status.failing(failing, others);
}

function levelLine(level: Verdict['verdict'], text: string): Line {
  return { text, word: level, tone: levelTone(level) };
}

function block(reason: Reason): Line[] {
  const { code, level, count, total, since, words, verb } = reason;
  const { status } = en;
  const facts = [
    ...(since === null ? [] : [status.since(localTime(since))]),
    ...(count === null ? [] : [status.count(count)]),
    ...(total === null ? [] : [status.sum(total)]),
  ];
  return [
    levelLine(level, `${level}  ${code}`),
    `  ${withLocalTimes(oneLine(words))}`,
    ...(facts.length === 0 ? [] : [`  ${facts.join(', ')}`]),
    ...(verb === null ? [] : [`  $ orderbridge ${oneLine(verb)}`]),
  ];
}
