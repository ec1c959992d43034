import { orderStates } from '../../src/bridge/order/decisions/order-state.ts';
import { type Disposition, failures, failureWords } from '../../src/bridge/order/facts/failure.ts';
import { markdownTable } from './markdown-table.ts';

const done: Record<Disposition, string> = {
  reject: 'refused: the sender gets the code',
  review: 'needs review: a person decides',
  tell: 'shown: `orderbridge order` prints it, nothing waits for it',
  pause: 'paused: the destination is probed until it works, its orders stay queued',
  retry: 'retried automatically',
};

/** The states of an order. */
export function stateTable(): string[] {
  return markdownTable(
    ['state', 'means'],
    Object.entries(orderStates).map(([state, { means }]) => [`\`${state}\``, means]),
  );
}

/** Every code, grouped by what is done about it. */
export function codeTables(): string[] {
  return Object.entries(done).flatMap(([disposition, words], index) => {
    const rows = Object.entries(failures).filter(([, failure]) => failure.disposition === disposition);
    const table = markdownTable(
      ['code', 'means', 'what to do'],
      rows.map(([code]) => [`\`${code}\``, failureWords(code).means, failureWords(code).todo]),
    );
    return [...(index === 0 ? [] : ['']), `**${capital(words)}**`, '', ...table];
  });
}

function capital(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
