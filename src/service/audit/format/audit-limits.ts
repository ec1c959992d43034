/** The length limits of the agency's schema, by element. */
export const auditLimits = { e_shop_n: 10, domain_name: 200, ord_n: 300, r_ord_n: 300, art_name: 200, pos_n: 200, trans_n: 200, proc_id: 200 } as const;

/** The digits of a document number (Наредба Н-18, чл. 52о, ал. 1, т. 1). */
export const DOCUMENT_DIGITS = 10;
