/** The values of a variable that names several, with commas between; in lower case. */
export function listed(text = ''): string[] {
  return separate(text).map((each) => each.toLowerCase());
}

/** The same, as they were written. */
export function separate(text = ''): string[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
