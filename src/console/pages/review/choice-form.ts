import type { MissingSetting } from '../../../bridge/order/facts/failure.ts';
import { PAYMENT_TYPES, VAT_GROUPS } from '../../../contract/order-dto.ts';
import { ownValue } from '../../../contract/own-value.ts';
import type { Chosen } from '../../../operations/review/chosen-settings.ts';
import { field, group } from '../../../web/forms.ts';
import { type Html, html, lines, nothing } from '../../../web/html.ts';
import type { Form } from '../../base/page.ts';
import type { Words } from '../../messages/messages.ts';

/** What was typed, and what is wrong with it. */
export type Typed = { chosen: Chosen; problem?: string; nameProblem?: string };

/** The fields of each setting, by its place among those that are asked. */
export function choiceFields(typed: readonly Typed[], words: Words): Html {
  return html`${lines(typed.map((one, place) => fieldsOf(one, place, words)))}`;
}

function fieldsOf({ chosen, problem, nameProblem }: Typed, place: number, words: Words): Html {
  const { choice } = words.review;
  const { setting, value, name } = chosen;
  const options = [...optionsOf(setting, value)].map((key) => [key, nameOf(setting, key, words)] as const);
  const given = { name: `value-${place}`, label: labelOf(setting, words), value: value ?? '', required: true, problem };
  const main = field(setting.of === 'contained-vat' ? given : { ...given, options, none: choice.choose });
  const named = { name: `name-${place}`, label: choice.name, hint: choice.nameHint, value: name ?? '', problem: nameProblem };
  return group({ id: `choice-${place}`, legend: legendOf(setting, words), content: html`${main}${setting.of === 'payment' ? field(named) : nothing}` });
}

function legendOf(setting: MissingSetting, { review: { choice } }: Words): string {
  switch (setting.of) {
    case 'payment':
      return choice.payment(setting.gateway);
    case 'vat':
      return choice.vat(setting.rate);
    case 'contained-vat':
      return choice.contained;
    case 'gift-cards':
      return choice.cards;
  }
}

function labelOf({ of }: MissingSetting, { review: { choice } }: Words): string {
  return { payment: choice.type, vat: choice.group, 'contained-vat': choice.containedLabel, 'gift-cards': choice.cardsLabel }[of];
}

/** Another service may have further ones: one that is set already can stay. */
function optionsOf({ of }: MissingSetting, now: string | null): ReadonlySet<string> {
  const known = { payment: PAYMENT_TYPES, vat: VAT_GROUPS, 'contained-vat': [], 'gift-cards': ['ignore', 'record'] }[of];
  return new Set([...known, ...(now === null ? [] : [now])]);
}

/** A value as people read it. */
export function nameOf({ of }: MissingSetting, value: string, { review: { choice } }: Words): string {
  const none: Readonly<Record<string, string>> = {};
  const names = { payment: choice.types, vat: choice.groups, 'contained-vat': none, 'gift-cards': choice.cardKinds }[of];
  return ownValue(names, value) ?? value;
}

/** A setting in one line, such as for what is set by now. `called`: how it is named. */
export function chosenWords({ setting, value, name }: Chosen, words: Words, called = legendOf(setting, words)): string {
  const { choice, stale } = words.review;
  const said = value === null ? choice.none : nameOf(setting, value, words);
  return stale.chosen(called, name === null ? said : `${said}, ${name}`);
}

const RATE = /^\d{1,2}(\.\d{1,4})?$/;
const LONGEST_NAME = 200;

/** What a form says of each setting; `now`: what is set. */
export function typedIn(form: Form, now: readonly Chosen[], words: Words): Typed[] {
  return now.map((chosen, place) => {
    const value = form.text(`value-${place}`);
    const name = chosen.setting.of === 'payment' ? form.text(`name-${place}`).slice(0, LONGEST_NAME) : '';
    const typed = { ...chosen, value: value === '' ? null : value, name: name === '' ? null : name };
    return { chosen: typed, ...problemsOf(typed, chosen, words) };
  });
}

function problemsOf({ setting, value, name }: Chosen, now: Chosen, { review: { choice } }: Words): Pick<Typed, 'problem' | 'nameProblem'> {
  if (value === null) return { problem: choice.missing };
  if (setting.of === 'contained-vat') return RATE.test(value) ? {} : { problem: choice.badRate };
  if (!optionsOf(setting, now.value).has(value)) return { problem: choice.unknown };
  if (value === 'PAYMENT_PROCESSOR' && name === null) return { nameProblem: choice.nameMissing };
  // As such a payment is written into the audit file.
  return value === 'VIRTUAL_POS' && !/\d/.test(name ?? '') ? { nameProblem: choice.posMissing } : {};
}
