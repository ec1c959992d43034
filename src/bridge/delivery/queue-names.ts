/** BullMQ queues; names are part of the operators' interface. */
export const DELIVERIES = 'deliveries';
export const SUBMISSIONS = 'submissions';
export const MAINTENANCE = 'maintenance';
