/** The door for whoever comes without a link. */
export const open = {
  title: 'Connect your store',
  words: 'In a few steps your paid orders are recorded for the NRA by themselves. You need the address of your store and, for a new shop, your company’s data.',
  keep: 'The next page has an address of its own, for 14 days: keep it, and you can stop and come back.',
  begin: 'Begin',
  closedTitle: 'A link is needed here',
  closed: 'Whoever runs this service sends you a link by which you connect your store.',
  slow: 'Somebody at your address has begun several times. Try again in a few minutes.',
};
