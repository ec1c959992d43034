/** The values of a variable that names several, with commas between; in lower case. */
export function listed(text = ''): string[] {
  return text
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => each !== '');
}
