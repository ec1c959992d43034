/**
 * How tables that are written with every order are kept. PostgreSQL's own settings let a fifth of a table die before it is cleaned, and a tenth change before it is
 * counted again: of a hundred million orders that is months, in which plans are made by figures that are long out of date.
 * - Cleaning reads the indexes whole, so it begins with a twentieth rather than with less; what a claim or a begin leaves behind is taken by the next
 *   statement that comes to the page.
 * - Counting reads a sample, whatever the size: a fiftieth.
 * - Rows that only come are marked as seen by all with a twentieth, too, so that lists and counts are read from indexes alone.
 * Each step is written twice, and each order is claimed once: half of a page is kept free for that, so that the second version lies beside the first and no index
 * is written.
 */
const TABLES = ['orders', 'order_facts', 'steps', 'deliveries', 'customers'];
const SETTINGS = {
  autovacuum_vacuum_scale_factor: 0.05,
  autovacuum_vacuum_threshold: 1_000,
  autovacuum_vacuum_insert_scale_factor: 0.05,
  autovacuum_vacuum_insert_threshold: 10_000,
  autovacuum_analyze_scale_factor: 0.02,
  autovacuum_analyze_threshold: 500,
};
const LIST = Object.entries(SETTINGS).map(([name, value]) => `${name} = ${value}`);

export const upkeep = `
${TABLES.map((table) => `alter table ${table} set (${LIST.join(', ')});`).join('\n')}
-- Bodies are dropped after KEEP_DELIVERIES_DAYS, those of a day at a time.
alter table deliveries set (toast.autovacuum_vacuum_scale_factor = 0.05, toast.autovacuum_vacuum_threshold = 1000);
alter table steps set (fillfactor = 50);
alter table orders set (fillfactor = 50);
`;

/** Two indexes more begin with the same column. */
export const withoutPrefix = `
drop index orders_connection;
`;
