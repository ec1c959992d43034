/** `group`: as the interface names it; `letter`: as Bulgarian documents print it. `from` ("2026-11-20") is the first day of the rate. */
export type VatRate = { group: string; letter: string; percent: string; from: string; source: string };

/**
 * The rate of a tax group from a day on, until its next entry. The groups are those of Ordinance N-18, art. 27: А exempt and zero-rated
 * supplies and sellers who are not registered, Б the standard rate, В liquid fuels through measuring devices, Г the reduced rate.
 */
export const vatRates: readonly VatRate[] = [
  { group: 'GROUP_A', letter: 'А', percent: '0', from: '1999-01-01', source: 'ЗДДС гл. 3 и 4; Наредба Н-18, чл. 27' },
  { group: 'GROUP_B', letter: 'Б', percent: '20', from: '1999-01-01', source: 'ЗДДС чл. 66, ал. 1' },
  { group: 'GROUP_C', letter: 'В', percent: '20', from: '1999-01-01', source: 'ЗДДС чл. 66, ал. 1; Наредба Н-18, чл. 27' },
  { group: 'GROUP_D', letter: 'Г', percent: '9', from: '2011-04-01', source: 'ЗДДС чл. 66, ал. 2' },
];

/** The rate of a group on a day ("2026-11-20") in percent; undefined if the group did not exist yet. */
export function vatRateOn(group: string, day: string): string | undefined {
  return vatRates.findLast((rate) => rate.group === group && rate.from <= day)?.percent;
}

/** The letter that documents print for a group; undefined for a group that the law does not know. */
export function groupLetter(group: string): string | undefined {
  return vatRates.find((rate) => rate.group === group)?.letter;
}
