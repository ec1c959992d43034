/** A record of our own compliance service. */
export const records = {
  title: (number: string): string => `The record of ${number}`,
  id: 'Id of the record',
  number: 'Number of the order',
  total: 'Total',
  made: 'Recorded',
  document: 'Document',
  month: 'In the file of',
  held: 'orderbridge holds it as the record of its order',
  heldHint:
    'It does not notice that the record is gone. If the order needs review, settle it afterwards with another record, or leave this one and say on the order’s page that it is to be removed. If not, comparing the store records it anew.',
  deleteTitle: 'Delete it',
  deleteHint: 'Its number is voided; if its month is closed, it becomes a return. This can’t be undone.',
  why: 'Why (for the trail)',
  noWhy: 'Say why.',
  do: 'Delete this record',
};
