/** Which shop number, domain and company each version bears, and what the files of earlier months bear after they changed from a month on. */
export const headersOfFiles = `
alter table compliance.audit_files add header jsonb;
update compliance.audit_files f set header = (
  select jsonb_build_object('eShopType', s.e_shop_type, 'nraNumber', s.details -> 'nraNumber', 'domain', s.details -> 'domain',
    'companyUic', s.details -> 'companyUic', 'companyName', s.details -> 'companyName', 'companyAddress', s.details -> 'companyAddress')
  from compliance.shops s where s.id = f.shop_id);
alter table compliance.audit_files alter header set not null;

-- [{"before": "2026-11", …}], the oldest first: what counts for the months before that one.
alter table compliance.shops add earlier_headers jsonb not null default '[]';
`;
