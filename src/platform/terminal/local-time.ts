const pad = (part: number) => String(part).padStart(2, '0');

/** "21.11. 22:15:54" where the reader is, with the year if it is not this one; a text that is no instant stays as it is. */
export function localTime(instant: string, now: Date = new Date()): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  const year = at.getFullYear() === now.getFullYear() ? '' : String(at.getFullYear());
  return `${pad(at.getDate())}.${pad(at.getMonth() + 1)}.${year} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

/** Null stays null. */
export function localOrNone(instant: string | null): string | null {
  return instant === null ? null : localTime(instant);
}

const INSTANTS = /`[^`]*`|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** A sentence whose instants are local times, but for those in backquotes, which are typed as they are. */
export function withLocalTimes(words: string, now: Date = new Date()): string {
  return words.replace(INSTANTS, (found) => (found.startsWith('`') ? found : localTime(found, now)));
}
