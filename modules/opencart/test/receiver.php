<?php

declare(strict_types=1);

// For `php -S`: keeps each request in FOLDER, and answers with the status that FOLDER/status has, and FOLDER/answer.
$folder = (string) getenv('FOLDER');
$request = ['id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '', 'body' => file_get_contents('php://input')];
file_put_contents("$folder/requests", json_encode($request) . "\n", FILE_APPEND);
http_response_code((int) file_get_contents("$folder/status"));
if (is_file("$folder/late")) {
    // What another process does to the order while its message is under way.
    $db = new mysqli('localhost', 'root', '', 'shop', 0, (string) file_get_contents("$folder/late"));
    $db->query('UPDATE oc_orderbridge_order SET changed_at = changed_at + 5, waits = 1 WHERE order_id = 1');
    unlink("$folder/late");
}
if (is_file("$folder/answer")) {
    readfile("$folder/answer");
}
