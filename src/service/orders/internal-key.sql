-- What is left of the internal id of a deleted order, so that its replacement is recognized.
create or replace function compliance.internal_key(p_shop uuid, p_internal_id text) returns bytea language sql immutable
  return sha256(convert_to(p_shop::text || '/' || p_internal_id, 'UTF8'));
