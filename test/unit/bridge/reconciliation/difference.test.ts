import { expect, test } from 'vitest';
import {
  type Compared,
  differenceOf,
  differenceWords,
  type LedgerFinding,
  type Money,
  type StoreFinding,
} from '../../../../src/bridge/reconciliation/difference.ts';

const money: Money = { currency: 'EUR', total: '24.00' };
const there: StoreFinding = { is: 'there', knowledge: 'known', paid: money };
const recorded: LedgerFinding = { wanted: 'record', current: money, isRight: true, code: null };
const agreed: Compared = { store: there, ledger: recorded, service: 'same', file: 'listed' };

function of(
  changes: { store?: Partial<Extract<StoreFinding, { is: 'there' }>> | StoreFinding; ledger?: Partial<LedgerFinding> | null } & Partial<
    Pick<Compared, 'service' | 'file'>
  >,
) {
  const { store = {}, ledger = {}, ...rest } = changes;
  const word: StoreFinding = 'is' in store && store.is !== 'there' ? (store as StoreFinding) : { ...there, ...(store as object) };
  return differenceOf({ ...agreed, store: word, ledger: ledger === null ? null : { ...recorded, ...ledger }, ...rest });
}

test.each([
  ['all agree', of({}), null],
  ['what counts nowhere is no difference', of({ store: { paid: null }, ledger: { wanted: 'nothing', current: null }, service: 'none', file: 'unread' }), null],
  ['nobody told of it', of({ ledger: null, service: 'none' }), 'unknown-here unknown'],
  ['nobody told of it, and it is recorded', of({ ledger: null, service: 'found' }), 'unknown-here unknown'],
  ['an unknown unpaid order', of({ store: { paid: null }, ledger: null, service: 'none' }), null],
  ['a record without an order', of({ store: { is: 'unread' }, ledger: null, service: 'found' }), 'record-unknown unclaimed'],
  ['it changed in the store', of({ store: { knowledge: 'stale' } }), 'stale-here stale'],
  [
    'live L3: the store shows an older state, from before money went back',
    of({ store: { isOlder: true, paid: { ...money, total: '34.00' } } }),
    'older-there older',
  ],
  ['live L3: the store shows an older state, and counts nothing', of({ store: { isOlder: true, paid: null } }), 'older-there older'],
  [
    'live L3: the store shows an older state, and a person is asked',
    of({ store: { isOlder: true }, ledger: { wanted: 'person', isRight: false, code: 'payment.outstanding' } }),
    'not-recorded person',
  ],
  ['it was refunded in the store', of({ store: { knowledge: 'stale', paid: null } }), 'stale-here stale'],
  ['an unpaid order changed', of({ store: { knowledge: 'stale', paid: null }, ledger: { wanted: 'nothing', current: null }, service: 'none' }), null],
  ['deleted without a word', of({ store: { is: 'gone', known: false } }), 'gone-there gone'],
  ['deleted, never recorded, to be recorded', of({ store: { is: 'gone', known: false }, ledger: { current: null } }), 'gone-there gone'],
  ['deleted and unpaid', of({ store: { is: 'gone', known: false }, ledger: { wanted: 'nothing', current: null }, service: 'none' }), null],
  [
    'deleted, and a person is asked',
    of({ store: { is: 'gone', known: true }, ledger: { wanted: 'person', code: 'removal.unproven' } }),
    'not-recorded gone-person',
  ],
  ['deleted, and kept on purpose', of({ store: { is: 'gone', known: true } }), null],
  ['not recorded yet', of({ ledger: { current: null }, service: 'none' }), 'not-recorded waits'],
  ['with a person', of({ ledger: { wanted: 'person', current: null, code: 'payment.unmapped' }, service: 'none' }), 'not-recorded person'],
  ['the service has it, the ledger does not', of({ ledger: { current: null }, service: 'found' }), 'not-recorded adopt'],
  ['another sale has its id there', of({ ledger: { current: null }, service: 'other' }), 'not-recorded conflict'],
  ['the service has it, and it should not', of({ ledger: { wanted: 'nothing', current: null }, service: 'found' }), 'record-unknown adopt'],
  ['its record is gone at the service', of({ service: 'none' }), 'not-recorded record-gone'],
  ['its record is gone, and should be', of({ ledger: { wanted: 'nothing', isRight: false }, service: 'none' }), 'record-differs replace'],
  ['it was replaced there', of({ service: 'found' }), 'record-differs adopt'],
  ['it is being replaced', of({ ledger: { isRight: false } }), 'record-differs replace'],
  ['it can’t be replaced', of({ ledger: { isRight: false, code: 'compliance.unreachable' } }), 'not-recorded person'],
  ['a person decides about its change', of({ ledger: { wanted: 'person', isRight: false, code: 'payment.outstanding' } }), 'not-recorded person'],
  ['the service has other content', of({ service: 'differs' }), 'record-differs other-content'],
  ['the store says another sum', of({ store: { paid: { ...money, total: '24.01' } } }), 'record-differs other-money'],
  ['the same sum, written otherwise', of({ store: { paid: { ...money, total: '24' } } }), null],
  ['the store counts nothing', of({ store: { paid: null } }), 'record-differs other-money'],
  ['not in the file', of({ file: 'missing' }), 'not-in-file file-missing'],
  ['otherwise in the file', of({ file: 'differs' }), 'not-in-file file-differs'],
  ['in the file, and recorded no more', of({ store: { is: 'unread' }, ledger: null, service: 'none', file: 'left' }), 'not-in-file file-left'],
  ['the store was not read', of({ store: { is: 'unread' } }), null],
])('%s', (_, found, wanted) => {
  expect(found === null ? null : `${found.kind} ${found.why}`).toBe(wanted);
});

const about = { order: 'id:7', complianceId: 'c9', code: null, isReadable: true };

test('each difference says what is done about it, or what to do', () => {
  expect(differenceWords('adopt', about)).toContain('record c9 of this very sale');
  expect(differenceWords('person', { ...about, code: 'payment.unmapped' })).toContain('orderbridge settings');
  expect(differenceWords('gone-person', { ...about, code: 'unconfirmed' })).toContain('orderbridge confirm id:7');
  expect(differenceWords('conflict', about)).toContain('orderbridge release id:7 --other');
});

test('without the store nothing is promised that depends on facts of now', () => {
  expect(differenceWords('record-gone', { ...about, isReadable: false })).toContain('nothing is recorded again');
  expect(differenceWords('person', { ...about, code: 'later.code', isReadable: false })).toContain('later release');
});
