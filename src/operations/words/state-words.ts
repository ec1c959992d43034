import { ORDER_STATES, type OrderState, orderStates, orderStatesInBulgarian } from '../../bridge/order/order-state.ts';
import type { Lang } from '../../contract/said.ts';

/** What people call a state; in English it is its own name. */
export function stateName(state: OrderState, lang: Lang): string {
  return lang === 'bg' ? orderStatesInBulgarian[state].name : state;
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
