import type { DifferenceKind } from '../../bridge/reconciliation/difference.ts';
import { stateName } from '../../operations/words/state-words.ts';
import type { Column } from './columns.ts';

const outcomes = {
  merged: 'прието',
  duplicate: 'повторение',
  ignored: 'не иска нищо',
  warning: 'предупреждение',
  closed: 'край на връзката',
  privacy: 'искане за лични данни',
  review: 'чака човек',
  replayed: 'прочетено отново',
  dismissed: 'отхвърлено',
  released: 'прието по-късно',
  held: 'задържано',
  recorded: 'записана',
  deleted: 'изтрит',
  gone: 'вече го нямаше',
  refused: 'отказано',
  conflict: 'отказано: вече има такъв',
  'receipt-got': 'издаден',
  'receipt-refused': 'отказан',
  unreachable: 'няма връзка',
  throttled: 'трябва да почака',
  misconfigured: 'отказан ключ или адрес',
  'shop-unknown': 'непознат обект',
  'shop-refused': 'отказан обект',
  disbelieved: 'не е повярвано',
  unknown: 'не се знае',
  'by-hand': 'на ръка',
  'not-recorded': 'няма го',
  'not-deleted': 'още съществува',
  'no answer yet': 'още няма отговор',
};

const states = {
  ...Object.fromEntries(
    (['waiting', 'queued', 'recorded', 'removed', 'review', 'settled', 'unconfirmed', 'ignored'] as const).map((state) => [state, stateName(state, 'bg')]),
  ),
  connected: 'свързан',
  disconnected: 'изключен',
  works: 'работи',
  paused: 'в пауза',
  running: 'работи',
  open: 'текущ',
  generated: 'изготвен',
  filed: 'подаден',
  rejected: 'върнат',
  blocked: 'спрян',
  empty: 'без поръчки',
  'returns only': 'само връщания',
  nothing: 'няма какво да се подаде',
  'nothing to file': 'няма какво да се подаде',
  sent: 'изпратено',
  expired: 'изтекла',
  revoked: 'отменена',
  started: 'записва',
  failed: 'неуспешно',
  disabled: 'без достъп',
  'can sign in': 'има достъп',
  'no password, no link': 'без парола и без връзка',
};

const differences: Readonly<Record<DifferenceKind, string>> = {
  'unknown-here': 'непозната тук',
  'stale-here': 'остаряла тук',
  'older-there': 'остаряла в магазина',
  'gone-there': 'няма я в магазина',
  'not-recorded': 'не е записана',
  'record-differs': 'записът се различава',
  'record-unknown': 'непознат запис',
  'not-in-file': 'не е във файла',
};

/** What stands in the cells of a column, for people who read Bulgarian; anything else stays as it is. */
export const cellsInBulgarian: Readonly<Partial<Record<Column, Readonly<Record<string, string>>>>> = {
  state: states,
  what: differences,
  outcome: outcomes,
  'what it did': outcomes,
  result: { accepted: 'прието', refused: 'отказано' },
  role: { owner: 'собственик', operator: 'оператор', accountant: 'счетоводител', viewer: 'наблюдател' },
  shops: { all: 'всички', several: 'няколко', one: 'един' },
  step: { create: 'запис', delete: 'изтриване', receipt: 'документ' },
  declared: { 'rate missing': 'няма курс' },
  body: { kept: 'пази се', gone: 'няма го' },
};
