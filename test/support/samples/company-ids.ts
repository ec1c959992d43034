const WEIGHTS = [
  [1, 2, 3, 4, 5, 6, 7, 8],
  [3, 4, 5, 6, 7, 8, 9, 10],
] as const;

/** So many valid numbers (ЕИК) of companies, each of nine digits, the last of which is the check digit. */
export function companyIds(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const digits = String(30_000_000 + n);
    const [first = 0, second = 0] = WEIGHTS.map((weights) => weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0) % 11);
    return `${digits}${first < 10 ? first : second % 10}`;
  });
}
