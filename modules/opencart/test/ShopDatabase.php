<?php

declare(strict_types=1);

namespace Orderbridge\Test;

/** A MariaDB of its own, with as much of OpenCart's tables as an order needs, called as OpenCart's class is. */
final class ShopDatabase
{
    private const TABLES = [
        'order (order_id INT PRIMARY KEY, order_status_id INT, total DECIMAL(15,4), currency_code CHAR(3),
            currency_value DECIMAL(15,8), payment_method TEXT, payment_code TEXT, shipping_method TEXT,
            shipping_code TEXT, date_added DATETIME, date_modified DATETIME)',
        'order_product (order_product_id INT PRIMARY KEY AUTO_INCREMENT, order_id INT, product_id INT, name TEXT,
            quantity INT, price DECIMAL(15,4), total DECIMAL(15,4), tax DECIMAL(15,4))',
        'order_total (order_total_id INT PRIMARY KEY AUTO_INCREMENT, order_id INT, code TEXT, title TEXT,
            value DECIMAL(15,4), sort_order INT)',
        'order_history (order_history_id INT PRIMARY KEY AUTO_INCREMENT, order_id INT, order_status_id INT,
            date_added DATETIME)',
        'currency (code CHAR(3), decimal_place CHAR(1))',
        'tax_rate (tax_rate_id INT, name TEXT, rate DECIMAL(15,4), type CHAR(1))',
        'tax_rule (tax_class_id INT, tax_rate_id INT)',
        'setting (store_id INT, code TEXT, `key` TEXT, value TEXT, serialized INT)',
    ];

    /** @param resource $process */
    private function __construct(private \mysqli $mysqli, private mixed $process, public readonly string $socket)
    {
    }

    public static function start(string $folder): self
    {
        $user = posix_getpwuid(posix_geteuid())['name'];
        $socket = "$folder/db.sock";
        exec("mariadb-install-db --no-defaults --user=$user --datadir=$folder/data"
            . ' --auth-root-authentication-method=normal > /dev/null 2>&1');
        $command = ['mariadbd', '--no-defaults', "--user=$user", "--datadir=$folder/data", "--socket=$socket",
            '--skip-networking', "--pid-file=$folder/db.pid"];
        $log = ['file', "$folder/db.log", 'a'];
        $process = proc_open($command, [1 => $log, 2 => $log], $pipes);
        mysqli_report(MYSQLI_REPORT_ERROR | MYSQLI_REPORT_STRICT);
        for ($left = 300;; $left--) {
            try {
                $mysqli = new \mysqli('localhost', 'root', '', '', 0, $socket);
                break;
            } catch (\mysqli_sql_exception $thrown) {
                if ($left === 0) {
                    throw $thrown;
                }
                usleep(200_000);
            }
        }
        $mysqli->query('CREATE DATABASE shop');
        $mysqli->select_db('shop');
        foreach (self::TABLES as $table) {
            $mysqli->query("CREATE TABLE oc_$table");
        }
        $mysqli->query("INSERT INTO oc_currency VALUES ('EUR', '2')");
        $mysqli->query("INSERT INTO oc_tax_rate VALUES (1, 'VAT 20%', 20, 'P')");
        return new self($mysqli, $process, $socket);
    }

    public function stop(): void
    {
        $this->mysqli->close();
        proc_terminate($this->process);
        proc_close($this->process);
    }

    public function query(string $sql): object|bool
    {
        $result = $this->mysqli->query($sql);
        if (!$result instanceof \mysqli_result) {
            return $result;
        }
        $rows = $result->fetch_all(MYSQLI_ASSOC);
        return (object) ['rows' => $rows, 'row' => $rows[0] ?? [], 'num_rows' => count($rows)];
    }

    public function escape(string $text): string
    {
        return $this->mysqli->real_escape_string($text);
    }

    /** An order of 12.00 in a status. */
    public function order(int $id, int $status = 5): void
    {
        $this->query("REPLACE INTO oc_order VALUES
            ($id, $status, 12, 'EUR', 1, '', 'stripe', '', 'flat.flat', NOW(), NOW())");
        $this->query("INSERT INTO oc_order_product VALUES (NULL, $id, 7, 'Tea', 1, 10, 10, 2)");
        foreach (['sub_total' => 10, 'tax' => 2, 'total' => 12] as $code => $value) {
            $title = $code === 'tax' ? 'VAT 20%' : $code;
            $this->query("INSERT INTO oc_order_total VALUES (NULL, $id, '$code', '$title', $value, 1)");
        }
        $this->query("INSERT INTO oc_order_history VALUES (NULL, $id, $status, NOW())");
    }
}
