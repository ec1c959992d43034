/** The board of months adds up those that have no file yet, and looks for what was recorded since one was made: both read this index alone. */
export const sumsOfMonths = `
drop index compliance.orders_of_month;
create index orders_of_month on compliance.orders (shop_id, month, document_number) include (accounting_total, recorded_at);
`;
