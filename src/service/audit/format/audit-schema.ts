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
        <xs:element name="eik" type="companyNumber">${words('Company number (ЕИК) of the merchant; 13 digits for a branch.')}</xs:element>
        <xs:element name="e_shop_n" type="shopNumber">${words('The number that the agency gave the shop: RF and seven digits.')}</xs:element>
        <xs:element name="domain_name" type="text200">${words('The address of the shop as registered in annex 33.')}</xs:element>
        <xs:element name="e_shop_type" type="shopType">${words('1: a domain of its own. 2: inside an online platform.')}</xs:element>
        <xs:element name="creation_date" type="xs:date">${words('The day on which the file was made.')}</xs:element>
        <xs:element name="mon" type="month">${words('The month, two digits.')}</xs:element>
        <xs:element name="god" type="year">${words('The year.')}</xs:element>
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
  <xs:complexType name="order">
    <xs:all>
      <xs:element name="ord_n" type="text300">${words('The number of the order in the shop’s software.')}</xs:element>
      <xs:element name="ord_d" type="xs:date">${words('The day of the order.')}</xs:element>
      <xs:element name="doc_n" type="xs:integer">${words('The number of the document of art. 52о, para. 1: ten digits by law.')}</xs:element>
      <xs:element name="doc_date" type="xs:date">${words('The day of that document.')}</xs:element>
      <xs:element name="art" type="articles">${words('The articles.')}</xs:element>
      <xs:element name="ord_total1" type="amount">${words('All articles without VAT and before discount.')}</xs:element>
      <xs:element name="ord_disc" type="amount">${words('The discount.')}</xs:element>
      <xs:element name="ord_vat" type="amount">${words('The VAT.')}</xs:element>
      <xs:element name="ord_total2" type="amount">${words('The whole with VAT.')}</xs:element>
      <xs:element name="paym" type="payment">${words('How it was paid. 1: without fiscal receipt by art. 3. 2: virtual POS. 3: postal money order. 4: payment service provider. 5: other without fiscal receipt. 6: with a fiscal receipt.')}</xs:element>
      <xs:element name="pos_n" type="text200" minOccurs="0">${words('The number of the virtual POS terminal.')}</xs:element>
      <xs:element name="trans_n" type="text200" minOccurs="0">${words('The reference of the financial transaction.')}</xs:element>
      <xs:element name="proc_id" type="text200" minOccurs="0">${words('The payment service provider: number and name.')}</xs:element>
    </xs:all>
  </xs:complexType>

  <xs:complexType name="articles">
    <xs:sequence><xs:element name="artenum" type="article" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="article">
    <xs:all>
      <xs:element name="art_name" type="text200">${words('What was delivered.')}</xs:element>
      <xs:element name="art_quant" type="amount">${words('How many, or how much.')}</xs:element>
      <xs:element name="art_price" type="amount">${words('The price of one, without VAT and before discount.')}</xs:element>
      <xs:element name="art_vat_rate" type="vatRate">${words('The VAT rate in whole percent.')}</xs:element>
      <xs:element name="art_vat" type="amount">${words('The VAT of the whole row.')}</xs:element>
      <xs:element name="art_sum" type="amount">${words('The whole row with VAT.')}</xs:element>
    </xs:all>
  </xs:complexType>

  <xs:complexType name="returns">
    <xs:sequence><xs:element name="rorderenum" type="return" minOccurs="0" maxOccurs="unbounded"/></xs:sequence>
  </xs:complexType>
  <xs:complexType name="return">
    <xs:all>
      <xs:element name="r_ord_n" type="text300">${words('The number of the returned order.')}</xs:element>
      <xs:element name="r_amount" type="amount">${words('What was given back, with VAT.')}</xs:element>
      <xs:element name="r_date" type="xs:date">${words('The day on which it was given back.')}</xs:element>
      <xs:element name="r_paym" type="returnWay">${words('How it was given back. 1: to a payment account. 2: to a card. 3: in cash. 4: otherwise.')}</xs:element>
    </xs:all>
  </xs:complexType>

  <xs:simpleType name="companyNumber">
    <xs:restriction base="xs:string"><xs:minLength value="9"/><xs:maxLength value="13"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="shopNumber"><xs:restriction base="xs:string"><xs:maxLength value="10"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="text200"><xs:restriction base="xs:string"><xs:maxLength value="200"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="text300"><xs:restriction base="xs:string"><xs:maxLength value="300"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="shopType">
    <xs:restriction base="xs:integer"><xs:minInclusive value="1"/><xs:maxInclusive value="2"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="month"><xs:restriction base="xs:string"><xs:pattern value="0[1-9]|1[0-2]"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="year">
    <xs:restriction base="xs:integer"><xs:minInclusive value="2020"/><xs:maxInclusive value="9999"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="amount"><xs:restriction base="xs:decimal"><xs:fractionDigits value="2"/></xs:restriction></xs:simpleType>
  <xs:simpleType name="vatRate">
    <xs:restriction base="xs:integer"><xs:minInclusive value="0"/><xs:maxInclusive value="100"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="payment">
    <xs:restriction base="xs:integer"><xs:minInclusive value="1"/><xs:maxInclusive value="6"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="returnWay">
    <xs:restriction base="xs:integer"><xs:minInclusive value="1"/><xs:maxInclusive value="4"/></xs:restriction>
  </xs:simpleType>
</xs:schema>
`;

function words(text: string): string {
  return `<xs:annotation><xs:documentation>${text}</xs:documentation></xs:annotation>`;
}
