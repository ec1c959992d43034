/** What went wrong, for a merchant: in place of the console's words, which are for those who run this server. */
export const problem = {
  missing: 'There is no page at this address. Open the link that you were sent.',
  foreign: 'This form was not sent from one of our pages, so nothing was done. Open the link that you were sent, and send the form again.',
  stale: 'It was changed after you opened the page, perhaps by you in another window. Nothing was done. This is what you saw, and what it is now:',
  failedTitle: 'Something went wrong on our side',
  failed: (requestId: string): string =>
    `This page could not be shown. What you saved is kept, and your store’s orders are still taken: there is nothing to do in your store. Try again in a minute. If it happens again, write to whoever sent you the link, and give this number: ${requestId}.`,
  databaseTitle: 'We are out of order for a moment',
  database:
    'It is on our side: what you saved is kept, and there is nothing to do in your store, or at the tax authority. This page tries again by itself. If it lasts for more than an hour, write to whoever sent you the link.',
  unknown: 'Whether your last press was carried out is not known. Open the page again, and look, before you press once more: nothing is made twice.',
};
