import type { Connection } from '../../bridge/connections/connection.ts';
import { settingPath } from '../../bridge/connections/setting-path.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../contract/enumerations.ts';
import type { Actor } from '../../platform/trail/trail.ts';
import { changeSettings } from '../connections/change-settings.ts';
import { editedSettings } from '../connections/edited-settings.ts';
import { settingsText } from './mapping-state.ts';

/** What somebody said of a store's rates, payment methods and statuses, as a form has it; '' : not said. */
export type MappingAnswers = {
  rates: readonly { rate: string; group: string }[];
  gateways: readonly { id: string; type: string; processor: string; isOnDelivery: boolean }[];
  paidStatuses: readonly string[];
  /** Of orders that are paid on delivery. */
  codPaidWhen: string;
};

/** What can't be taken. nameless: a payment service needs its name. unknown: none of the choices. open: it must be said, because orders are paid so. */
export type MappingProblem = { of: 'rate' | 'gateway' | 'on-delivery'; id: string; problem: 'nameless' | 'unknown' | 'open' };

const PAID_WHEN = ['completed', 'processing'];

export function mappingProblems({ rates, gateways, codPaidWhen }: MappingAnswers): MappingProblem[] {
  const isOneOf = (known: readonly string[], value: string) => value === '' || known.includes(value);
  const isOpen = gateways.some(({ isOnDelivery }) => isOnDelivery) && !PAID_WHEN.includes(codPaidWhen);
  return [
    ...(isOpen ? [{ of: 'on-delivery' as const, id: '', problem: 'open' as const }] : []),
    ...rates.filter(({ group }) => !isOneOf(VAT_GROUPS, group)).map(({ rate: id }) => ({ of: 'rate' as const, id, problem: 'unknown' as const })),
    ...gateways.flatMap(({ id, type, processor }): MappingProblem[] => {
      if (!isOneOf(PAYMENT_TYPES, type)) return [{ of: 'gateway', id, problem: 'unknown' }];
      return type === 'PAYMENT_PROCESSOR' && processor === '' ? [{ of: 'gateway', id, problem: 'nameless' }] : [];
    }),
  ];
}

type Deps = Parameters<typeof changeSettings>[0];
type Answered = { answers: MappingAnswers; by: Actor; mustBe(settings: string): void };

/** Takes the answers as settings of the connection; what was not said stays as it is. */
export async function answerMapping(deps: Deps, { id, settings }: Connection, { answers, by, mustBe }: Answered): Promise<Connection> {
  const changed = await changeSettings(deps, {
    id,
    by,
    changes: changesOf(answers, settings),
    patience: null,
    mustBe: (before) => mustBe(settingsText(before)),
  });
  return changed.connection;
}

/** Whether the settings say what was answered, such as by a press that was doubled. */
export function isAnswered({ settings }: Pick<Connection, 'settings'>, answers: MappingAnswers): boolean {
  return settingsText(editedSettings(settings, changesOf(answers, settings))) === settingsText(settings);
}

function changesOf(answers: MappingAnswers, settings: Connection['settings']): { set: string[]; unset: string[] } {
  return { set: assignments(answers, settings), unset: withoutName(answers, settings) };
}

function assignments({ rates, gateways, paidStatuses, codPaidWhen }: MappingAnswers, settings: Connection['settings']): string[] {
  const said = gateways.filter(({ type }) => type !== '');
  const named = new Set(gateways.map(({ id }) => id));
  // Gateways that the page did not ask about stay what they are.
  const onDelivery = [...settings.codGateways.filter((id) => !named.has(id)), ...gateways.filter(({ isOnDelivery }) => isOnDelivery).map(({ id }) => id)];
  return [
    ...rates.filter(({ group }) => group !== '').map(({ rate, group }) => `${settingPath(['vatGroups', rate])}=${JSON.stringify(group)}`),
    ...said.flatMap(({ id, type, processor }) => [
      `${settingPath(['payments', id, 'paymentType'])}=${JSON.stringify(type)}`,
      ...(processor === '' ? [] : [`${settingPath(['payments', id, 'paymentProcessorName'])}=${JSON.stringify(processor)}`]),
    ]),
    ...changed('codGateways', settings.codGateways, onDelivery),
    ...(PAID_WHEN.includes(codPaidWhen) && codPaidWhen !== settings.codPaidWhen ? [`codPaidWhen=${codPaidWhen}`] : []),
    ...changed('paidStatuses', settings.paidStatuses, paidStatuses),
  ];
}

function changed(name: string, before: readonly string[], after: readonly string[]): string[] {
  return JSON.stringify(before.toSorted()) === JSON.stringify(after.toSorted()) ? [] : [`${name}=${JSON.stringify(after)}`];
}

/** Names of processors that were taken away. */
function withoutName({ gateways }: MappingAnswers, { payments = {} }: Connection['settings']): string[] {
  return gateways
    .filter(({ id, type, processor }) => type !== '' && processor === '' && payments[id]?.paymentProcessorName !== undefined)
    .map(({ id }) => settingPath(['payments', id, 'paymentProcessorName']));
}
