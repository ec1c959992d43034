const OF_IT = 'b.delivery_id = d.id and b.kept_at = d.kept_at';

/** SQL of deliveries `d`, each with its body in `bodies b` if that is there. */
export const WITH_BODIES = `deliveries d left join bodies b on ${OF_IT}`;
/** SQL of its body, wherever it is. */
export const BODY = 'coalesce(d.body, b.body)';
/** SQL that is true if `bodies` has none of delivery `d`. */
export const HAS_NO_BODY = `not exists (select from bodies b where ${OF_IT})`;

/** SQL that drops the bodies in `bodies`, with their headers, of those deliveries `d`. */
export const dropBodiesOf = (which: string): string => `delete from bodies b using deliveries d where ${OF_IT} and ${which}`;
