/** How things of a list are told apart, and when each changed; `among`: those that were listed before. */
type Listing<One> = { id(one: One): string; changedAt(one: One): string; among?: Map<string, One> };

/** What a store listed, by its id: of a thing that it listed twice the state that changed later, or, if both changed at once, the one listed later. */
export function latest<One>(listed: Iterable<One>, { id, changedAt, among = new Map() }: Listing<One>): Map<string, One> {
  for (const one of listed) {
    const known = among.get(id(one));
    if (known === undefined || changedAt(one) >= changedAt(known)) among.set(id(one), one);
  }
  return among;
}
