import { type AuditColumns, articleColumns, headerColumns, orderColumns, returnColumns } from './audit-columns.ts';
import { amount } from './column-kinds.ts';

/**
 * Our schema of the audit file, written from Ordinance N-18, annex 38 (the table of elements; amounts in euro by ДВ, бр. 42 от 2025 г.) and from what
 * the schema that the agency published on 2022-06-06 accepts and refuses. Names are in lower case and in no namespace. Children may come in any
 * order. r_ord and r_total may be absent, which an older edition refused and the law does not want: a rule covers that.
 */
export const auditSchema = `<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  <xs:element name="audit">
    <xs:annotation><xs:documentation>The orders of one shop that were delivered in one month, and what was given back in it.</xs:documentation></xs:annotation>
    <xs:complexType>
      <xs:all>
${described(headerColumns)}
        <xs:element name="order" type="orders">${words('The orders.')}</xs:element>
        <xs:element name="r_ord" type="xs:integer" minOccurs="0">${words('How many orders were returned, in whole or in part.')}</xs:element>
        <xs:element name="rorder" type="returns" minOccurs="0">${words('The returned orders.')}</xs:element>
        <xs:element name="r_total" type="amount" minOccurs="0">${words('What was given back in sum, with VAT.')}</xs:element>
      </xs:all>
    </xs:complexType>
  </xs:element>
  <xs:complexType name="orders">
    <xs:sequence><xs:element name="orderenum" type="order" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="articles">
    <xs:sequence><xs:element name="artenum" type="article" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="returns">
    <xs:sequence><xs:element name="rorderenum" type="return" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
${rowType('order', orderColumns)}
${rowType('article', articleColumns)}
${rowType('return', returnColumns)}
${valueTypes()}
</xs:schema>
`;

function rowType(name: string, columns: AuditColumns): string {
  return `  <xs:complexType name="${name}"><xs:all>\n${described(columns)}\n  </xs:all></xs:complexType>`;
}

function described(columns: AuditColumns): string {
  return Object.entries(columns)
    .map(
      ([name, { kind, means, optional }]) =>
        `    <xs:element name="${name}" type="${kind.type}"${optional ? ' minOccurs="0"' : ''}>${words(means)}</xs:element>`,
    )
    .join('\n');
}

/** The types of the columns' values, each once. */
function valueTypes(): string {
  const columns: AuditColumns[] = [headerColumns, articleColumns, orderColumns, returnColumns];
  const kinds = [...columns.flatMap((one) => Object.values(one)).map(({ kind }) => kind), amount];
  const types = kinds.flatMap(({ type, restriction }) =>
    restriction === undefined
      ? []
      : [`  <xs:simpleType name="${type}"><xs:restriction base="${restriction.base}">${restriction.facets}</xs:restriction></xs:simpleType>`],
  );
  return [...new Set(types)].join('\n');
}

function words(text: string): string {
  return `<xs:annotation><xs:documentation>${text}</xs:documentation></xs:annotation>`;
}
