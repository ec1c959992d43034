/**
 * Is this a company identification number (ЕИК): 9 digits, 13 for a branch, or the 10 of a natural person (ЕГН or ЛНЧ, by the BULSTAT register),
 * whose check digits fit? Placeholders of zeros are not.
 */
export function isCompanyId(value: string): boolean {
  if (!/^(\d{9}|\d{10}|\d{13})$/.test(value) || /^0+$/.test(value.slice(0, 9))) return false;
  const digits = Array.from(value, Number);
  return digits.length === 10 ? isPerson(digits) : isCompany(digits);
}

function isCompany(digits: number[]): boolean {
  const main = checkDigit(digits.slice(0, 8), [1, 2, 3, 4, 5, 6, 7, 8], [3, 4, 5, 6, 7, 8, 9, 10]) === digits[8];
  return main && (digits.length === 9 || checkDigit(digits.slice(8, 12), [2, 7, 3, 5], [4, 9, 5, 7]) === digits[12]);
}

// A citizen's number (ЕГН), or that of a foreigner (ЛНЧ).
function isPerson(digits: number[]): boolean {
  const first = digits.slice(0, 9);
  const citizen = (weighted(first, [2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11) % 10;
  const foreigner = weighted(first, [21, 19, 17, 13, 11, 9, 7, 3, 1]) % 10;
  return digits[9] === citizen || digits[9] === foreigner;
}

function checkDigit(digits: number[], weights: number[], weightsIfTen: number[]): number {
  const first = weighted(digits, weights) % 11;
  return first < 10 ? first : (weighted(digits, weightsIfTen) % 11) % 10;
}

function weighted(digits: number[], weights: number[]): number {
  return digits.reduce((sum, digit, i) => sum + digit * (weights[i] ?? 0), 0);
}
