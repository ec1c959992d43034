/** A day of a form, as in “2026-10-01”; null: it is none. */
export function typedDay(text: string): string | null {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return null;
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : null;
}

/** A month of a form, as in “2026-10”; null: it is none. */
export function typedMonth(text: string): string | null {
  return /^20\d\d-(0[1-9]|1[0-2])$/.test(text) ? text : null;
}
