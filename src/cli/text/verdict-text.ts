import type { Reason, Verdict } from '../../operations/verdict/verdict.ts';
import { localTime, withLocalTimes } from '../../platform/terminal/local-time.ts';
import type { Line } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import type { CliWords } from '../words/words.ts';
import { levelTone } from './tones.ts';

/** `reasonWords`: a reason in the language of the words, before its own ones, which are English; null: they are. */
type In = { words: CliWords; reasonWords: ((reason: Reason) => string) | null };

/** The verdict for people: its words first, then a block for each reason, with local times. */
export function verdictText(verdict: Verdict, said: In): Line[] {
  const first = levelLine(verdict.verdict, firstLine(verdict, said.words), said.words);
  return [first, ...verdict.reasons.flatMap((reason) => ['', ...block(reason, said)])];
}

function firstLine({ verdict, reasons }: Verdict, { status }: CliWords): string {
  if (verdict === 'ok') return status.ok;
  const failing = reasons.filter(({ level }) => level === 'failing').length;
  const others = reasons.length - failing;
  return failing === 0 ? status.attention(others) : status.failing(failing, others);
}

function levelLine(level: Verdict['verdict'], text: string, { status }: CliWords): Line {
  return { text, word: status.levels[level], tone: levelTone(level) };
}

function block(reason: Reason, { words: all, reasonWords }: In): Line[] {
  const { code, level, count, total, since, words, verb } = reason;
  const { status } = all;
  const facts = [
    ...(since === null ? [] : [status.since(localTime(since))]),
    ...(count === null ? [] : [status.count(count)]),
    ...(total === null ? [] : [status.sum(total)]),
  ];
  return [
    levelLine(level, `${status.levels[level]}  ${code}`, all),
    ...(reasonWords === null ? [] : [`  ${oneLine(reasonWords(reason))}`]),
    `  ${withLocalTimes(oneLine(words))}`,
    ...(facts.length === 0 ? [] : [`  ${facts.join(', ')}`]),
    ...(verb === null ? [] : [`  $ orderbridge ${oneLine(verb)}`]),
  ];
}
