/**
 * Everything that the verdict can name, as one code in one table: what it means, for status, docs, the label of a gauge, and alerts. The level is the
 * worst that a reason of this code has.
 */
export const reasonCodes = {
  'database.down': { level: 'failing', means: 'The database does not answer: nothing can be recorded.' },
  'queue.down': { level: 'failing', means: 'The queue does not answer: webhooks wait in the database, and nothing is submitted.' },
  'queue.paused': { level: 'failing', means: 'Somebody paused a queue: nothing is taken from it.' },
  'destination.paused': { level: 'failing', means: 'The compliance service is down, throttles, or does not take the key: its orders wait.' },
  'shop.paused': { level: 'failing', means: 'The compliance service does not know a shop, or refuses it: its orders wait.' },
  'orders.parked': { level: 'attention', means: 'Orders wait for a person.' },
  'orders.unconfirmed': { level: 'attention', means: 'It is not known whether these orders are recorded.' },
  'month.late': { level: 'failing', means: 'A month was not marked as filed by the end of its term.' },
} as const satisfies Record<string, { level: 'failing' | 'attention'; means: string }>;

export type ReasonCode = keyof typeof reasonCodes;
