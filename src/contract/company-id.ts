/** Is this a company identification number (ЕИК): 9 digits, or 13 for a branch, whose check digits fit? Placeholders of zeros are not. */
export function isCompanyId(value: string): boolean {
  if (!/^(\d{9}|\d{13})$/.test(value) || /^0+$/.test(value.slice(0, 9))) return false;
  const digits = Array.from(value, Number);
  const main = checkDigit(digits.slice(0, 8), [1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10]) === digits[8];
  return main && (digits.length === 9 || checkDigit(digits.slice(8, 12), [2, 7, 3, 5], [4, 9, 5, 7]) === digits[12]);
}

function checkDigit(digits: number[], weights: number[], weightsIfTen: number[]): number {
  const first = weighted(digits, weights);
  return first < 10 ? first : weighted(digits, weightsIfTen) % 10;
}

function weighted(digits: number[], weights: number[]): number {
  return digits.reduce((sum, digit, i) => sum + digit * (weights[i] ?? 0), 0) % 11;
}
