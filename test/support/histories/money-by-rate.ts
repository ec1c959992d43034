/** Cents by VAT rate in percent ("20"). */
export type MoneyByRate = ReadonlyMap<string, bigint>;

/** What a history comes to in truth. `byRate` null: nobody could say from what the store says; a person must be asked. */
export type Truth = {
  byRate: MoneyByRate | null;
  /** How far the money of one rate may be off because the platform rounds each amount by itself; the total never. Cents. */
  tolerance: bigint;
  /** False: the witnesses contradict each other, or leave open what is right; a person may be asked. */
  agrees: boolean;
};

export function plus(money: MoneyByRate, rate: string, cents: bigint): MoneyByRate {
  return new Map([...money, [rate, (money.get(rate) ?? 0n) + cents]]);
}

/** What is left of each rate after money that names none went back, nothing if that is all of it or more; null: it may be of several. */
export function lessUnnamed(money: MoneyByRate, unnamed: bigint): MoneyByRate | null {
  const rates = [...money].flatMap(([rate, cents]) => (cents > 0n ? [rate] : []));
  if (unnamed === 0n) return money;
  if (unnamed >= totalOf(money)) return new Map();
  return rates.length === 1 && rates[0] !== undefined ? plus(money, rates[0], -unnamed) : null;
}

/** The same in total, and for each rate as nearly as `tolerance` says. */
export function sameMoney(a: MoneyByRate, b: MoneyByRate, tolerance: bigint): boolean {
  const offs = [...new Set([...a.keys(), ...b.keys()])].map((rate) => (a.get(rate) ?? 0n) - (b.get(rate) ?? 0n));
  return totalOf(a) === totalOf(b) && offs.every((off) => -tolerance <= off && off <= tolerance);
}

export function totalOf(money: MoneyByRate): bigint {
  return [...money.values()].reduce((sum, cents) => sum + cents, 0n);
}

/** "20: 24.00, 9: 5.45", without what is zero, sorted: equal text is equal money. */
export function byRateText(money: MoneyByRate): string {
  const parts = [...money].filter(([, cents]) => cents !== 0n).map(([rate, cents]) => `${rate}: ${text(cents)}`);
  return parts.sort().join(', ') || 'nothing';
}

/** 2400n → "24.00". */
export function text(cents: bigint): string {
  const digits = `${cents < 0n ? -cents : cents}`.padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** a × b ÷ c, halves up; all of them zero or more. */
export function share(a: bigint, b: bigint, c: bigint): bigint {
  return (2n * a * b + c) / (2n * c);
}
