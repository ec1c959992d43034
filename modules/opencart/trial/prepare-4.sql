SET SESSION sql_mode = '';
INSERT INTO oc_extension (extension, type, code) VALUES ('opencart', 'total', 'handling'), ('opencart', 'total', 'low_order_fee');
UPDATE oc_setting SET value = '0' WHERE `key` = 'config_checkout_payment_address';
