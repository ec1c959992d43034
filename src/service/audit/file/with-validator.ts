import { AuditValidator } from '../format/audit-validator.ts';

/** Compiles the schema, and frees it when `work` ends. */
export async function withValidator<T>(work: (validator: AuditValidator) => Promise<T>): Promise<T> {
  using validator = new AuditValidator();
  return await work(validator);
}
