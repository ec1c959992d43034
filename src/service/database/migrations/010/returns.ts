/** What returns say of VAT. */
export const returns = '';
