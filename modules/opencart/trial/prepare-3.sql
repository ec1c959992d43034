SET SESSION sql_mode = '';
INSERT INTO oc_extension (type, code) VALUES ('total', 'handling'), ('total', 'low_order_fee');
INSERT INTO oc_voucher (voucher_id, order_id, code, from_name, from_email, to_name, to_email, voucher_theme_id, message, amount,
  status, date_added) VALUES (101, 0, 'GIFT1', 'a', 'a@example.com', 'b', 'b@example.com', 8, '', 100000, 1, NOW());
