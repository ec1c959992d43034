/** Links in mails, a recipient, shop and month each. */
export const links = '';
