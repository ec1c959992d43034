import { formatMoney, parseMoney } from '../../../../src/contract/money.ts';
import { isJson, type Json, text } from './json.ts';

export function shopAmount(from: Json, name: string): unknown {
  const set = from[`${name}_set`];
  return isJson(set) && isJson(set['shop_money']) ? set['shop_money']['amount'] : from[name];
}

export function moneyBag(from: Json, name: string, currency: string): Json {
  const set = from[`${name}_set`];
  const presentment = isJson(set) && isJson(set['presentment_money']) ? set['presentment_money'] : null;
  const shopMoney = money(shopAmount(from, name), currency);
  return { shopMoney, presentmentMoney: presentment === null ? shopMoney : money(presentment['amount'], text(presentment['currency_code'])) };
}

export function optional(from: Json, name: string, currency: string): Json | null {
  return (shopAmount(from, name) ?? null) === null ? null : moneyBag(from, name, currency);
}

export function zero(currency: string): Json {
  return plain(0n, currency);
}

export function plain(amount: bigint, currency: string): Json {
  const shopMoney = { amount: formatMoney(amount, 6), currencyCode: currency };
  return { shopMoney, presentmentMoney: shopMoney };
}

export function money(amount: unknown, currencyCode: string): Json {
  return { amount: formatMoney(micro(amount), 6), currencyCode };
}

export function micro(amount: unknown): bigint {
  return parseMoney(typeof amount === 'number' ? amount.toFixed(6) : text(amount), 6) ?? 0n;
}
