/** Every version of a month's file, its bytes in gzip members, and the result of the last attempt. */
export const auditFiles = `
create table compliance.audit_files (
  id uuid primary key,
  shop_id uuid not null references compliance.shops on delete cascade,
  month date not null,
  version int not null,
  created_at timestamptz not null,
  cut_at timestamptz not null,
  sha256 text not null,
  bytes bigint not null,
  sums jsonb not null,
  findings jsonb not null,
  summary jsonb not null,
  unique (shop_id, month, version)
);
create index audit_files_by_age on compliance.audit_files (created_at, id);

-- Written before the row of their file is: its hash is known at the end.
create table compliance.audit_file_chunks (
  file_id uuid not null references compliance.audit_files on delete cascade deferrable initially deferred,
  n int not null,
  content bytea not null,
  primary key (file_id, n)
);
alter table compliance.audit_file_chunks alter content set storage external;

create table compliance.audit_csv_chunks (
  file_id uuid not null references compliance.audit_files on delete cascade deferrable initially deferred,
  n int not null,
  content bytea not null,
  primary key (file_id, n)
);
alter table compliance.audit_csv_chunks alter content set storage external;

-- attempt: the last one that made no file, as it is told to the merchant. scheduled_at: when the shop's day was served.
alter table compliance.audit_months
  add attempt jsonb,
  add attempted_at timestamptz,
  add scheduled_at timestamptz,
  add reminded_at timestamptz,
  add waiting_since timestamptz;
`;
