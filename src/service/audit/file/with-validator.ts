import { AuditValidator } from '../format/audit-validator.ts';

/** The schema is compiled for as long as `work` takes. */
export async function withValidator<T>(work: (validator: AuditValidator) => Promise<T>): Promise<T> {
  using validator = new AuditValidator();
  return await work(validator);
}
