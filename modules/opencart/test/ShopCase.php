<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\ConnectionCode;
use Orderbridge\Database;
use Orderbridge\Http;
use Orderbridge\OrderReader;
use Orderbridge\Outbox;
use Orderbridge\Sender;
use Orderbridge\Settings;
use PHPUnit\Framework\TestCase;

/** With a MariaDB and a receiver that really run. */
abstract class ShopCase extends TestCase
{
    protected const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

    protected static string $folder;
    protected static ShopDatabase $shop;
    /** @var resource */
    protected static mixed $receiver;
    protected static ConnectionCode $code;
    protected Outbox $outbox;
    protected OrderReader $orders;
    protected Sender $sender;

    public static function setUpBeforeClass(): void
    {
        self::$folder = sys_get_temp_dir() . '/orderbridge-' . bin2hex(random_bytes(6));
        mkdir(self::$folder);
        self::$shop = ShopDatabase::start(self::$folder);
        $port = random_int(20_000, 60_000);
        $log = ['file', self::$folder . '/receiver.log', 'a'];
        $environment = ['FOLDER' => self::$folder] + getenv();
        $command = [PHP_BINARY, '-S', "127.0.0.1:$port", __DIR__ . '/receiver.php'];
        self::$receiver = proc_open($command, [1 => $log, 2 => $log], $pipes, null, $environment);
        for ($left = 100; $left > 0 && !@fsockopen('127.0.0.1', $port); $left--) {
            usleep(100_000);
        }
        $code = ConnectionCode::parse('http://whsec_' . rawurlencode(self::SECRET) . "@127.0.0.1:$port/hook");
        self::assertNotNull($code);
        self::$code = $code;
    }

    public static function tearDownAfterClass(): void
    {
        proc_terminate(self::$receiver);
        proc_close(self::$receiver);
        self::$shop->stop();
        exec('rm -rf ' . escapeshellarg(self::$folder));
    }

    protected function setUp(): void
    {
        $database = new Database(self::$shop, 'oc_');
        $this->outbox = new Outbox($database);
        $this->outbox->drop();
        foreach (['order', 'order_product', 'order_total', 'order_history', 'setting'] as $table) {
            self::$shop->query("DELETE FROM oc_$table");
        }
        $this->outbox->create();
        $this->orders = new OrderReader($database, Settings::of([]));
        $this->sender = new Sender(self::$code, $this->outbox, $this->orders, new Http());
        file_put_contents(self::$folder . '/requests', '');
        @unlink(self::$folder . '/answer');
        $this->answer(200);
    }

    protected function answer(int $status): void
    {
        file_put_contents(self::$folder . '/status', (string) $status);
    }

    /** @return list<string> */
    protected function ids(): array
    {
        return array_column($this->requests(), 'id');
    }

    /** @return list<array{id: string, body: string}> */
    protected function requests(): array
    {
        return array_map(
            fn (string $line): array => json_decode($line, true),
            file(self::$folder . '/requests', FILE_IGNORE_NEW_LINES) ?: [],
        );
    }
}
