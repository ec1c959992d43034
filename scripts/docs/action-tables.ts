import { type Answer, destinationNews } from '../../src/bridge/order/decisions/answer.ts';
import { conclude } from '../../src/bridge/order/decisions/conclude.ts';
import { type Action, nextAction } from '../../src/bridge/order/decisions/next-action.ts';
import type { AttemptEnd, Write } from '../../src/bridge/order/decisions/transition.ts';
import { type AnswerCase, answers } from '../../test/support/attempts/answers.ts';
import { situations } from '../../test/support/attempts/situations.ts';
import { markdownTable } from './markdown-table.ts';

/** The next action in each situation, from the code that decides it. */
export function actionTable(): string[] {
  return markdownTable(
    ['situation', 'next action'],
    Object.entries(situations).map(([when, situation]) => [when, actionWords(nextAction(situation))]),
  );
}

function actionWords(action: Action): string {
  switch (action.do) {
    case 'skip':
      return 'nothing';
    case 'fetch':
      return 'query the store';
    case 'send':
      return action.step.kind === 'receipt' ? 'request the receipt' : stepWords(action.step);
    case 'end':
      return `rest: \`${action.state}\``;
    case 'wait':
      return 'wait for it';
    case 'review':
      return 'ask a person: `review`';
    case 'confirm':
      return 'ask a person: `unconfirmed`';
  }
}

function stepWords(step: Extract<Extract<Action, { do: 'send' }>['step'], { kind: 'create' | 'delete' }>): string {
  if (step.uncertain) return `send the same ${step.kind} again`;
  if (step.kind === 'delete') return 'delete it';
  return step.record.internalNumber === '#OLD' ? 'create the old record again' : 'create it';
}

/** The consequence of each answer to each step, from the code that concludes it. */
export function answerTable(): string[] {
  return markdownTable(
    ['step', 'outcome', 'when', 'what is written', 'then', 'its destination'],
    Object.entries(answers).flatMap(([step, byOutcome]) => Object.values(byOutcome).flatMap((cases) => cases.map((one) => answerRow(step, one)))),
  );
}

function answerRow(kind: string, { and, step, answer, sent }: AnswerCase): string[] {
  const { write, end } = conclude(sent, step, answer);
  return [kind, `\`${answer.outcome}\``, and, writeWords(write), endWords(end), destinationWords(answer)];
}

function writeWords({ state, current, previous, openStep, receipt, review, attempts = 0 }: Write): string {
  const words = [
    review ? `\`${state}\`: \`${review.code}\`` : `\`${state}\``,
    current === undefined ? '' : current === null ? 'nothing is recorded' : 'it is recorded',
    previous ? 'the old record is remembered' : '',
    openStep ? 'the step stays open' : '',
    receipt ? `its receipt is \`${receipt.state}\`` : '',
    attempts > 0 ? 'one more attempt' : '',
  ];
  return words.filter((word) => word !== '').join(', ');
}

function endWords(end: AttemptEnd | null): string {
  if (end === null) return 'the next action';
  if (end.kind === 'again') return 'an attempt after a growing pause';
  if (end.kind === 'fetch') return 'an attempt that calls the store';
  if (end.kind === 'paused') return 'an attempt when it works again';
  return end.receipt === 'due' ? 'rest; an attempt for the receipt' : 'rest';
}

function destinationWords(answer: Answer): string {
  const news = destinationNews(answer);
  if (news.is === 'working') return 'works';
  if (news.is === 'unclear') return 'stays as it is';
  if (news.is === 'uncertain') return 'is uncertain';
  if (news.spreads === true) return 'is paused for this shop, and with a second shop for all';
  return news.wholeDestination ? 'is paused' : 'is paused for this shop';
}
