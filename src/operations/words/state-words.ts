import { ORDER_STATES, type OrderState, orderStates, orderStatesInBulgarian } from '../../bridge/order/decisions/order-state.ts';
import type { Lang } from '../../contract/said.ts';

/** What people call a state. */
export function stateName(state: OrderState, lang: Lang): string {
  if (lang === 'bg') return orderStatesInBulgarian[state].name;
  return state === 'review' ? 'in review' : state;
}

/** What a state means, in a sentence. */
export function stateMeans(state: OrderState, lang: Lang): string {
  return lang === 'bg' ? orderStatesInBulgarian[state].means : orderStates[state];
}

/** The same of a text that may be a state. */
export function stateNamed(text: string, lang: Lang): string {
  const state = ORDER_STATES.find((one) => one === text);
  return state === undefined ? text : stateName(state, lang);
}
