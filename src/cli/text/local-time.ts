/** An ISO instant as people of this machine's time zone read it: 2026-11-22 14:05:09. */
export function localTime(at: string): string {
  return new Date(at).toLocaleString('sv-SE');
}
