<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\Endpoint;
use Orderbridge\OrderEvents;

final class OutboxTest extends ShopCase
{
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

    public function testATaxOfAFixedAmountIsInNoLine(): void
    {
        self::$shop->query("INSERT INTO oc_tax_rate VALUES (2, 'Deposit', 2, 'F')");
        self::$shop->order(1);
        self::$shop->query("UPDATE oc_order_total SET title = 'Deposit' WHERE code = 'tax'");
        $this->outbox->changed(1);
        $order = $this->orders->asItIs($this->outbox->of(1) ?? []);
        self::$shop->query('DELETE FROM oc_tax_rate WHERE tax_rate_id = 2');
        self::assertSame(['12.00', '10.00', '0'], [
            $order['total'], $order['lines'][0]['amount'], $order['lines'][0]['vatRate'],
        ]);
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
    public function testAnOrderThatIsBeingEditedWaits(int $status, ?int $void, string $edit): void
    {
        if ($void !== null) {
            self::$shop->query("INSERT INTO oc_setting VALUES (0, 'config', 'config_void_status_id', '$void', 0)");
        }
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->age('1 DAY');
        self::$shop->query("UPDATE oc_order SET order_status_id = $status");
        self::$shop->query($edit);
        self::assertSame([0, []], [$this->sender->send(5), $this->list([])['orders']]);
        $this->age('61 SECOND');
        $this->outbox->retryAll();
        self::assertSame([1, 1], [$this->sender->send(5), count($this->list([])['orders'])]);
    }

    /** @return array<string, array{int, int|null, string}> */
    public function voids(): array
    {
        $changes = 'UPDATE oc_order SET date_modified = NOW()';
        return [
            '3.0 takes the status away' => [0, null, $changes],
            '4.1 gives the one that is set' => [16, 16, 'INSERT INTO oc_order_history VALUES (NULL, 1, 16, NOW())'],
            'then it changes the order' => [16, 16, $changes],
        ];
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

    public function testAStatusOfAnotherProgramIsFoundOnce(): void
    {
        self::$shop->order(1, 1);
        $this->outbox->changed(1);
        $this->sender->send(5);
        $this->outbox->adopt();
        self::assertSame(0, $this->outbox->waiting());
        self::$shop->query('UPDATE oc_order SET order_status_id = 5');
        self::$shop->query('INSERT INTO oc_order_history VALUES (NULL, 1, 5, NOW())');
        $this->outbox->adopt();
        $this->sender->send(5);
        $this->outbox->adopt();
        self::assertSame([0, ['pending 12.00', 'paid 12.00']], [$this->outbox->waiting(), $this->received()]);
    }

    /** @dataProvider zones */
    public function testTheZoneInWhichAnotherProgramWritesDoesNotMatter(string $ahead): void
    {
        self::$shop->order(1, 1);
        $this->outbox->changed(1);
        $this->sender->send(5);
        $this->outbox->adopt();
        self::$shop->query('UPDATE oc_order SET order_status_id = 5');
        self::$shop->query("INSERT INTO oc_order_history VALUES (NULL, 1, 5, NOW() + INTERVAL $ahead HOUR)");
        foreach ([1, 2, 3] as $_) {
            $this->outbox->adopt();
            $this->sender->send(5);
            self::$shop->query('UPDATE oc_orderbridge_order SET changed_at = changed_at - 60000 WHERE order_id = 1');
        }
        self::assertSame(['pending 12.00', 'paid 12.00'], $this->received());
    }

    /** @return list<array{string}> */
    public function zones(): array
    {
        return [['-3'], ['0'], ['3']];
    }

    public function testAStatusThatIsCommittedAfterLaterOnesIsFoundOnce(): void
    {
        foreach ([1, 2] as $id) {
            self::$shop->order($id, 1);
            $this->outbox->changed($id);
        }
        $this->sender->send(5);
        $other = new \mysqli('localhost', 'root', '', 'shop', 0, self::$shop->socket);
        $other->begin_transaction();
        $other->query('INSERT INTO oc_order_history VALUES (NULL, 1, 5, NOW())');
        self::$shop->query('INSERT INTO oc_order_history VALUES (NULL, 2, 1, NOW())');
        $this->outbox->changed(2);
        $this->sender->send(5);
        $this->outbox->adopt();
        $other->query('UPDATE oc_order SET order_status_id = 5 WHERE order_id = 1');
        $other->commit();
        $other->close();
        foreach ([1, 2] as $_) {
            $this->outbox->adopt();
            $this->sender->send(5);
        }
        self::assertSame([...array_fill(0, 3, 'pending 12.00'), 'paid 12.00'], $this->received());
    }

    public function testAStatusFromBeforeTheModuleIsNotSent(): void
    {
        self::$shop->order(1);
        $this->outbox->drop();
        $this->outbox->create();
        self::$shop->query('UPDATE oc_orderbridge_order SET changed_at = changed_at - 3600000 WHERE order_id = 1');
        $this->outbox->adopt();
        self::assertSame(0, $this->outbox->waiting());
    }

    /** A status of 4.1 does not move `date_modified`. */
    public function testAnOrderFromBeforeIsListedAtItsLastStatus(): void
    {
        self::$shop->order(1);
        self::$shop->query('UPDATE oc_order SET date_modified = NOW() - INTERVAL 9 DAY');
        $this->outbox->drop();
        $this->outbox->create();
        $since = ['changed_since' => gmdate('Y-m-d\TH:i:s\Z', time() - 86_400)];
        self::assertSame(['1'], array_column($this->list($since)['orders'], 'id'));
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

    public function testOnlyTheLastPageMayBeEmpty(): void
    {
        foreach ([1, 2, 3] as $id) {
            self::$shop->order($id);
            $this->outbox->changed($id);
        }
        self::$shop->query('UPDATE oc_order SET order_status_id = 0 WHERE order_id < 3');
        $first = $this->list(['limit' => '1']);
        self::assertSame([['3'], null], [array_column($first['orders'], 'id'), $first['next']]);
    }

    public function testTheListIsForOrderbridgeAlone(): void
    {
        $endpoint = new Endpoint(self::$code, $this->outbox, $this->orders);
        $query = ['changed_since' => '1970-01-01T00:00:00Z'];
        self::assertSame(401, $endpoint->answer(['REQUEST_URI' => '/'], $query)['status']);
    }

    private function age(string $interval): void
    {
        self::$shop->query("UPDATE oc_order SET date_modified = NOW() - INTERVAL $interval");
        self::$shop->query("UPDATE oc_order_history SET date_added = NOW() - INTERVAL $interval");
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

    /** @return list<string> */
    private function received(): array
    {
        return array_map(function (array $request): string {
            $order = json_decode($request['body'], true)['data']['order'];
            return ($order['status'] ?? 'deleted') . ' ' . ($order['total'] ?? '');
        }, $this->requests());
    }
}
