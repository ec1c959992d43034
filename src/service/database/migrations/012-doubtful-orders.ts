/**
 * Orders that one payment paid, those in a currency that had ended (no order of such a currency is listed in an earlier month than its first index
 * entry, unless it was made while the currency was in use), and shops that refuse the latter.
 */
export const doubtfulOrders = `
create index orders_of_transaction on compliance.orders (shop_id, transaction_id) where payment_type in ('PAYMENT_PROCESSOR', 'VIRTUAL_POS');
create index orders_in_ended_currency on compliance.orders (shop_id, month)
  where month >= '2026-02-01' and currency in ('BGN', 'HRK', 'LTL', 'LVL', 'EEK', 'SKK', 'CYP', 'MTL', 'SIT', 'ATS', 'BEF', 'DEM', 'ESP', 'FIM', 'FRF', 'GRD', 'IEP', 'ITL', 'LUF', 'NLG', 'PTE');
alter table compliance.shops add refuse_ended_currencies boolean not null default false;
`;
