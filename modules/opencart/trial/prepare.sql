-- VAT of 20 % and of 9 %, whose name does not say so; prices of four decimals; EUR, and USD beside it.
SET SESSION sql_mode = '';
DELETE FROM oc_event WHERE code LIKE 'mail%' OR code = 'mail';
INSERT INTO oc_geo_zone (geo_zone_id, name, description) VALUES (101, 'Bulgaria', '');
INSERT INTO oc_zone_to_geo_zone SET country_id = 33, zone_id = 0, geo_zone_id = 101;
DELETE FROM oc_tax_rule; DELETE FROM oc_tax_rate; DELETE FROM oc_tax_rate_to_customer_group;
INSERT INTO oc_tax_rate (tax_rate_id, geo_zone_id, name, rate, type) VALUES
  (201, 101, 'ДДС 20%', 20, 'P'), (202, 101, 'Намалена ставка', 9, 'P');
INSERT INTO oc_tax_rate_to_customer_group (tax_rate_id, customer_group_id) VALUES (201, 1), (202, 1);
INSERT INTO oc_tax_class (tax_class_id, title, description) VALUES (901, '20', '20'), (902, '9', '9');
INSERT INTO oc_tax_rule (tax_class_id, tax_rate_id, based, priority) VALUES (901, 201, 'store', 1), (902, 202, 'store', 1);
UPDATE oc_product SET tax_class_id = 0, subtract = 0, quantity = 100000;
UPDATE oc_product SET price = 19.9917, tax_class_id = 901, points = 100 WHERE product_id = 28;
UPDATE oc_product SET price = 7.4633, tax_class_id = 901, points = 0 WHERE product_id = 29;
UPDATE oc_product SET price = 13.7523, tax_class_id = 902, points = 200 WHERE product_id = 31;
UPDATE oc_product SET price = 0.4508, tax_class_id = 902, points = 0 WHERE product_id = 32;
UPDATE oc_product SET price = 5.0000, tax_class_id = 0, points = 0 WHERE product_id = 33;
UPDATE oc_product SET price = 0.0000, tax_class_id = 901, points = 0 WHERE product_id = 34;
UPDATE oc_product SET price = 249.1583, tax_class_id = 901, points = 0 WHERE product_id = 36;
UPDATE oc_product SET minimum = 1;
DELETE FROM oc_product_option; DELETE FROM oc_product_discount;
UPDATE oc_product_description SET name = 'Чай &amp; чаша &quot;Роза&quot;' WHERE product_id = 28;
DELETE FROM oc_currency;
INSERT INTO oc_currency (currency_id, title, code, symbol_left, symbol_right, decimal_place, value, status, date_modified)
  VALUES (1, 'Euro', 'EUR', '', ' EUR', 2, 1, 1, NOW()), (2, 'Dollar', 'USD', '$', '', 2, 1.16597300, 1, NOW());
UPDATE oc_setting SET value = 'EUR' WHERE `key` = 'config_currency';
UPDATE oc_setting SET value = '0' WHERE `key` = 'config_currency_auto';
UPDATE oc_setting SET value = '33' WHERE `key` = 'config_country_id';
UPDATE oc_setting SET value = '498' WHERE `key` = 'config_zone_id';
UPDATE oc_setting SET value = 'Europe/Sofia' WHERE `key` = 'config_timezone';
UPDATE oc_setting SET value = '1' WHERE `key` IN ('config_stock_checkout', 'config_error_log');
UPDATE oc_setting SET value = '' WHERE `key` = 'config_mail_engine';
UPDATE oc_setting SET value = '0' WHERE `key` = 'config_error_display';
UPDATE oc_setting SET value = '0' WHERE `key` IN ('config_checkout_id', 'config_account_id', 'total_credit_status');
INSERT INTO oc_coupon (coupon_id, name, code, type, discount, logged, shipping, total, date_start, date_end, uses_total,
  uses_customer, status, date_added) VALUES
  (101, 'Ten percent', 'P10', 'P', 10, 0, 0, 0, '2020-01-01', '2040-01-01', 0, 0, 1, NOW()),
  (102, 'Fifteen', 'F15', 'F', 15, 0, 0, 0, '2020-01-01', '2040-01-01', 0, 0, 1, NOW()),
  (103, 'On one product', 'ONE', 'P', 33.3, 0, 0, 0, '2020-01-01', '2040-01-01', 0, 0, 1, NOW()),
  (104, 'Free shipping', 'SHIP', 'P', 5, 0, 1, 0, '2020-01-01', '2040-01-01', 0, 0, 1, NOW());
INSERT INTO oc_coupon_product (coupon_id, product_id) VALUES (103, 31);
INSERT INTO oc_customer SET customer_id = 1, customer_group_id = 1, store_id = 0, language_id = 1, firstname = 'Мария',
  lastname = 'O&#039;Neil', email = 'maria@example.com', telephone = '+359888123456', password = '', custom_field = '',
  newsletter = 0, ip = '', status = 1, safe = 1, token = '', code = '', date_added = NOW();
INSERT INTO oc_customer_reward SET customer_id = 1, order_id = 0, description = '', points = 1000000, date_added = NOW();
INSERT INTO oc_setting (store_id, code, `key`, value, serialized) VALUES
  (0, 'total_handling', 'total_handling_total', '0', 0), (0, 'total_handling', 'total_handling_fee', '1.2345', 0),
  (0, 'total_handling', 'total_handling_tax_class_id', '902', 0), (0, 'total_handling', 'total_handling_sort_order', '4', 0),
  (0, 'total_low_order_fee', 'total_low_order_fee_total', '100000', 0),
  (0, 'total_low_order_fee', 'total_low_order_fee_fee', '0.8333', 0),
  (0, 'total_low_order_fee', 'total_low_order_fee_tax_class_id', '901', 0),
  (0, 'total_low_order_fee', 'total_low_order_fee_sort_order', '4', 0);
