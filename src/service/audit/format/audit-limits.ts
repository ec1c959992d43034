/** How many characters the agency's schema allows where it counts them, by element. */
export const auditLimits = { e_shop_n: 10, domain_name: 200, ord_n: 300, r_ord_n: 300, art_name: 200, pos_n: 200, trans_n: 200, proc_id: 200 } as const;

/** How many digits a document number has (Наредба Н-18, чл. 52о, ал. 1, т. 1). */
export const DOCUMENT_DIGITS = 10;
