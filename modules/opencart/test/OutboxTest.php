<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\ConnectionCode;
use Orderbridge\Database;
use Orderbridge\Endpoint;
use Orderbridge\Http;
use Orderbridge\OrderEvents;
use Orderbridge\Module;
use Orderbridge\OrderReader;
use Orderbridge\OrderStates;
use Orderbridge\Outbox;
use Orderbridge\Sender;
use Orderbridge\Settings;
use Orderbridge\Texts;
use PHPUnit\Framework\TestCase;

/** With a MariaDB and a receiver that really run. */
final class OutboxTest extends TestCase
{
    private const SECRET = 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=';

    private static string $folder;
    private static ShopDatabase $shop;
    /** @var resource */
    private static mixed $receiver;
    private static ConnectionCode $code;
    private Outbox $outbox;
    private OrderReader $orders;
    private Sender $sender;

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
        foreach (['order', 'order_product', 'order_total', 'order_history'] as $table) {
            self::$shop->query("DELETE FROM oc_$table");
        }
        $this->outbox->create();
        $this->orders = new OrderReader($database, Settings::of([]));
        $this->sender = new Sender(self::$code, $this->outbox, $this->orders, new Http());
        file_put_contents(self::$folder . '/requests', '');
        @unlink(self::$folder . '/answer');
        $this->answer(200);
    }

    public function testTheAdministrationShowsWhatBecameOfOrders(): void
    {
        foreach ([1, 2, 3] as $id) {
            self::$shop->order($id);
            $this->outbox->changed($id);
        }
        $this->sender->send(5);
        $this->outbox->changed(2);
        file_put_contents(self::$folder . '/answer', json_encode(['orders' => [
            ['order' => '1', 'state' => 'recorded', 'document' => '0000000012', 'why' => null],
            ['order' => '2', 'state' => 'review', 'document' => null, 'why' => 'A <rate> is unknown.'],
        ]]));
        $states = $this->states([1, 2, 3]);

        self::assertSame('{"orders":["1","2","3"],"lang":"en"}', array_column($this->requests(), 'body')[3]);
        $link = '<a href="/r" target="_blank" rel="noopener noreferrer" class="text-success">';
        self::assertSame("<br><small>{$link}Recorded, document 0000000012</a></small>", $states->mark(1, '/r'));
        $waits = 'Waits to be sent to orderbridge.';
        $review = '<span class="text-danger">Needs review</span>';
        self::assertSame("<br><small>$review<br>$waits</small>", $states->mark(2, '/r'));
        self::assertSame('', $states->mark(3, '/r'));
        self::assertSame([true, false, true], array_map($states->mayHaveReceipt(...), [1, 2, 3]));
        self::assertSame('Recorded, document 0000000012', $states->sentence(1));
        self::assertSame("Needs review\nA <rate> is unknown.\n$waits", $states->sentence(2));
        self::assertStringStartsWith('Sent on ', $states->sentence(3));
    }

    public function testWithoutAnAnswerThePageShowsWhatTheShopKnows(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->answer(503);
        self::assertSame('Waits to be sent to orderbridge.', $this->states([1])->sentence(1));

        $this->sender->send(5);
        $asked = count($this->ids());
        self::assertStringContainsString('503', $this->states([1])->sentence(1));
        self::assertCount($asked, $this->ids());
    }

    public function testAChangedOrderIsSentOnceAsItIsThen(): void
    {
        self::$shop->order(1, 1);
        $this->outbox->changed(1);
        self::$shop->query('UPDATE oc_order SET order_status_id = 5');
        $this->outbox->changed(1);
        self::assertSame([1, 0, 0], [$this->sender->send(5), $this->sender->send(5), $this->outbox->waiting()]);
        self::assertSame(['paid 12.00'], $this->received());
    }

    public function testAChangeDuringTheSendingIsSentAfterIt(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        file_put_contents(self::$folder . '/late', self::$shop->socket);
        self::assertSame(2, $this->sender->send(5));
        self::assertCount(2, array_unique($this->ids()));
    }

    public function testAnOrderWithoutAStatusIsNone(): void
    {
        self::$shop->order(1, 0);
        $this->outbox->changed(1);
        self::assertSame(0, $this->outbox->waiting());
    }

    public function testNothingIsSentWhileOrderbridgeIsDownAndAllOfItAfterwards(): void
    {
        foreach ([1, 2, 3] as $id) {
            self::$shop->order($id);
            $this->outbox->changed($id);
        }
        $this->answer(503);
        self::assertSame([0, 0], [$this->sender->send(5), $this->sender->send(5)]);
        self::assertCount(1, $this->ids());
        self::assertStringStartsWith('503', (string) $this->outbox->paused());

        $this->answer(200);
        $this->outbox->retryAll();
        self::assertSame([3, 0, null], [$this->sender->send(5), $this->outbox->waiting(), $this->outbox->paused()]);
        self::assertSame($this->ids()[0], $this->ids()[1]);
    }

    public function testAMessageThatIsRefusedHoldsNoOtherUp(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->answer(400);
        self::assertSame(0, $this->sender->send(5));
        self::$shop->order(2);
        $this->outbox->changed(2);
        $this->answer(200);
        self::assertSame([1, 1], [$this->sender->send(5), $this->outbox->waiting()]);
        self::assertStringStartsWith('400', (string) ($this->outbox->of(1)['problem'] ?? ''));
    }

    public function testAMessageThatMeetsAPauseLetsOthersGoFirst(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->answer(502);
        self::assertSame(0, $this->sender->send(5));
        self::$shop->order(2);
        $this->outbox->changed(2);
        self::$shop->query('UPDATE oc_orderbridge_order SET next_at = 1 WHERE next_at > 0');
        $this->sender->send(5);
        self::assertSame(['msg_1', 'msg_2'], array_map(fn (string $id): string => substr($id, 0, 5), $this->ids()));
    }

    public function testAnOrderThatCannotBeReadHoldsNoOtherUp(): void
    {
        foreach ([1, 2] as $id) {
            self::$shop->order($id);
            $this->outbox->changed($id);
        }
        self::$shop->query("UPDATE oc_orderbridge_order SET refunds = '3' WHERE order_id = 1");
        self::assertSame([1, 1], [$this->sender->send(5), $this->outbox->waiting()]);
        self::assertStringStartsWith('TypeError', (string) ($this->outbox->of(1)['problem'] ?? ''));
        $log = ini_set('error_log', self::$folder . '/log');
        self::assertSame(['2'], array_column($this->list([])['orders'], 'id'));
        ini_set('error_log', (string) $log);
        $said = (string) file_get_contents(self::$folder . '/log');
        self::assertStringContainsString('order 1 is not listed: TypeError', $said);
    }

    public function testADeletedOrderIsSaidToBeSo(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->sender->send(5);
        self::$shop->query('DELETE FROM oc_order');
        $this->outbox->deleted(1);
        $this->outbox->deleted(9);
        self::assertSame(1, $this->sender->send(5));
        self::assertSame('deleted ', $this->received()[1]);
    }

    public function testASaleThatIsDeletedBeforeItIsSentIsSentFirst(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->outbox->deleting(1, $this->orders->asItIs($this->outbox->of(1) ?? []));
        self::$shop->query('DELETE FROM oc_order');
        $this->outbox->deleted(1);
        self::assertSame([2, ['paid 12.00', 'deleted ']], [$this->sender->send(5), $this->received()]);
        self::assertSame([0, null], [$this->outbox->waiting(), $this->outbox->of(1)['last'] ?? null]);
    }

    public function testAnOrderThatIsDeletedBeforeItWasNoticedIsSent(): void
    {
        self::$shop->order(1);
        $shop = $this->shopOfEvents();
        $args = [1];
        $route = '';
        $shop->deleting($route, $args);
        self::$shop->query('DELETE FROM oc_order');
        $shop->deleted($route, $args);
        self::assertSame([2, ['paid 12.00', 'deleted ']], [$this->sender->send(5), $this->received()]);
    }

    public function testWhatGoesWrongAtAnEventIsLoggedWithoutItsText(): void
    {
        $this->outbox->drop();
        $shop = $this->shopOfEvents();
        $args = [1];
        $route = '';
        $shop->deleting($route, $args);
        $wanted = '/^orderbridge: mysqli_sql_exception 1146 \(\w+\.php:\d+\)$/';
        self::assertMatchesRegularExpression($wanted, $shop->log->text);
    }

    public function testWhatIsForgottenIsNotSentWhenTheOrderChanges(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->outbox->deleting(1, $this->orders->asItIs($this->outbox->of(1) ?? []));
        $this->outbox->forget();
        self::assertNull($this->outbox->of(1)['last'] ?? null);
    }

    /** @dataProvider voids */
    public function testAnOrderThatIsBeingEditedWaits(int $status, ?int $void): void
    {
        self::$shop->query('DELETE FROM oc_setting');
        if ($void !== null) {
            self::$shop->query("INSERT INTO oc_setting VALUES (0, 'config', 'config_void_status_id', '$void', 0)");
        }
        self::$shop->order(1);
        $this->outbox->changed(1);
        self::$shop->query("UPDATE oc_order SET order_status_id = $status, date_modified = NOW()");
        self::assertSame([0, []], [$this->sender->send(5), $this->list([])['orders']]);
        self::$shop->query('UPDATE oc_order SET date_modified = NOW() - INTERVAL 61 SECOND');
        $this->outbox->retryAll();
        self::assertSame([1, 1], [$this->sender->send(5), count($this->list([])['orders'])]);
    }

    /** @return array<string, array{int, int|null}> */
    public function voids(): array
    {
        return ['3.0 takes the status away' => [0, null], '4.1 gives the one that is set' => [16, 16]];
    }

    public function testOrdersOfOtherProgramsAreFound(): void
    {
        self::$shop->order(1);
        self::$shop->order(2);
        $this->outbox->adopt();
        self::$shop->query('DELETE FROM oc_order WHERE order_id = 2');
        $this->outbox->adopt();
        self::assertSame([2, ['paid 12.00', 'deleted ']], [$this->sender->send(5), $this->received()]);
    }

    public function testOrdersFromBeforeAreListedAndNotSent(): void
    {
        self::$shop->order(1);
        $this->outbox->drop();
        $this->outbox->create();
        self::assertSame([0, ['1']], [$this->outbox->waiting(), array_column($this->list([])['orders'], 'id')]);
    }

    public function testTheListGoesFromPageToPageByMomentOfChange(): void
    {
        foreach ([3, 1, 2] as $id) {
            self::$shop->order($id);
            $this->outbox->changed($id);
        }
        $first = $this->list(['limit' => '2']);
        $second = $this->list(['limit' => '2', 'after' => $first['next']]);
        self::assertSame(['3', '1'], array_column($first['orders'], 'id'));
        self::assertSame(['2'], array_column($second['orders'], 'id'));
        self::assertNull($second['next']);
        self::assertSame(['2'], array_column($this->list(['ids' => '2,8,x'])['orders'], 'id'));
    }

    public function testTheListIsForOrderbridgeAlone(): void
    {
        $endpoint = new Endpoint(self::$code, $this->outbox, $this->orders);
        $query = ['changed_since' => '1970-01-01T00:00:00Z'];
        self::assertSame(401, $endpoint->answer(['REQUEST_URI' => '/'], $query)['status']);
    }

    /** A controller of OpenCart, with what the events need of it. */
    private function shopOfEvents(): object
    {
        defined('DB_PREFIX') || define('DB_PREFIX', 'oc_');
        $log = new class {
            public string $text = '';

            public function write(string $text): void
            {
                $this->text .= $text;
            }
        };
        return new class (self::$shop, $log) {
            use OrderEvents;

            public function __construct(public object $db, public object $log)
            {
            }
        };
    }

    private function answer(int $status): void
    {
        file_put_contents(self::$folder . '/status', (string) $status);
    }

    /**
     * @param array<string, string> $query
     * @return array<string, mixed>
     */
    private function list(array $query): array
    {
        $query += ['changed_since' => '1970-01-01T00:00:00.000Z'];
        $uri = '/index.php?' . http_build_query($query);
        $now = (string) time();
        $signed = base64_encode(hash_hmac('sha256', "a.$now.$uri", (string) base64_decode(self::SECRET, true), true));
        $server = ['HTTP_WEBHOOK_ID' => 'a', 'HTTP_WEBHOOK_TIMESTAMP' => $now,
            'HTTP_WEBHOOK_SIGNATURE' => "v1,$signed", 'REQUEST_URI' => $uri];
        $answer = (new Endpoint(self::$code, $this->outbox, $this->orders))->answer($server, $query);
        self::assertSame(200, $answer['status']);
        return $answer['body'];
    }

    /** @param list<int> $ids */
    private function states(array $ids): OrderStates
    {
        $code = str_replace('://', '://whsec_' . rawurlencode(self::SECRET) . '@', self::$code->address);
        foreach (['status' => '1', 'code' => $code] as $name => $value) {
            $row = "(0, 'module_orderbridge', 'module_orderbridge_$name', '$value', 0)";
            self::$shop->query("INSERT INTO oc_setting (`store_id`, `code`, `key`, `value`, `serialized`) VALUES $row");
        }
        $states = new OrderStates(new Module(self::$shop, 'oc_'), Texts::in('en-gb'), $ids);
        self::$shop->query('DELETE FROM oc_setting');
        return $states;
    }

    /** @return list<string> */
    private function ids(): array
    {
        return array_column($this->requests(), 'id');
    }

    /** @return list<string> */
    private function received(): array
    {
        return array_map(function (array $request): string {
            $order = json_decode($request['body'], true)['data']['order'];
            return ($order['status'] ?? 'deleted') . ' ' . ($order['total'] ?? '');
        }, $this->requests());
    }

    /** @return list<array{id: string, body: string}> */
    private function requests(): array
    {
        return array_map(
            fn (string $line): array => json_decode($line, true),
            file(self::$folder . '/requests', FILE_IGNORE_NEW_LINES) ?: [],
        );
    }
}
