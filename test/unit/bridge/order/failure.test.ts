import { describe, expect, test } from 'vitest';
import { asFailure, curedBySettings, curedByStoreAccess, Failure, failures, failureWords } from '../../../../src/bridge/order/facts/failure.ts';

describe('a failure', () => {
  test('says its code and its detail, and keeps what caused it', () => {
    const cause = new Error('ECONNREFUSED');

    const failure = new Failure('compliance.unreachable', 'no answer', { cause, retryAfterMs: 500 });

    expect(failure).toMatchObject({ name: 'Failure', code: 'compliance.unreachable', retryAfterMs: 500, cause, message: 'compliance.unreachable: no answer' });
  });

  test('needs neither cause nor time', () => {
    expect(new Failure('total.mismatch', 'two sums').retryAfterMs).toBeUndefined();
  });

  test('stays itself when it is caught, anything else is unexpected and kept', () => {
    const failure = new Failure('total.mismatch', 'two sums');

    expect(asFailure(failure)).toBe(failure);
    expect(asFailure('weather')).toMatchObject({ code: 'internal.unexpected', cause: 'weather' });
  });
});

test.each(Object.keys(failures))('%s says what it means and what to do', (code) => {
  const { means, todo } = failureWords(code);

  expect(`${means} ${todo}`).toMatch(/^\p{Lu}.*\. .*\.$/u);
});

test('an order is retried after new settings if its failure says so', () => {
  const said = Object.keys(failures).filter((code) => failureWords(code).todo.includes('(`orderbridge settings`)'));

  expect(curedBySettings).toEqual(said);
  expect(curedBySettings).toEqual(['vat.unmapped', 'currency.ended', 'payment.unmapped', 'gift-card.undecided']);
});

test('an order is retried with another access to the store if its failure says so', () => {
  const said = Object.keys(failures).filter((code) => failureWords(code).todo.includes('`orderbridge reconnect`'));

  expect(curedByStoreAccess).toEqual(said);
  expect(curedByStoreAccess).toEqual(['storefront.unreachable', 'storefront.refused']);
});

test('a code of a later release is said to be one', () => {
  expect(failureWords('body.encoded', 'bg').todo).toBe(failures['body.encoded'].todo.bg);
  expect(failureWords('vat.unmapped', 'bg')).toEqual({ means: failures['vat.unmapped'].means.bg, todo: failures['vat.unmapped'].todo });
  expect(failureWords('vat.of-tomorrow')).toEqual({ means: expect.stringContaining('later release'), todo: expect.stringContaining('later release') });
  expect(failureWords('constructor')).toEqual(failureWords('vat.of-tomorrow'));
});
