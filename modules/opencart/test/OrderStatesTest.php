<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\AdminActions;
use Orderbridge\Module;
use Orderbridge\OrderStates;
use Orderbridge\Texts;
use Orderbridge\Version;

final class OrderStatesTest extends ShopCase
{
    public function testTheAdministrationShowsWhatBecameOfOrders(): void
    {
        foreach ([1, 2, 3] as $id) {
            self::$shop->order($id);
            $this->outbox->changed($id);
        }
        $this->sender->send(5);
        $this->outbox->changed(2);
        $this->give(['orders' => [
            ['order' => '1', 'state' => 'recorded', 'document' => '0000000012', 'why' => null],
            ['order' => '2', 'state' => 'review', 'document' => null, 'why' => 'A <rate> is unknown.'],
        ]]);
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

    public function testWhileOrderbridgeFailsOnePageAMinuteWaitsForItAndOrdersAreSent(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->answer(503);
        $this->states([1]);
        $this->states([1]);
        self::assertCount(1, $this->ids());

        $this->answer(200);
        self::assertSame([1, 0, null], [$this->sender->send(5), $this->outbox->waiting(), $this->outbox->paused()]);
        self::$shop->query('UPDATE oc_orderbridge_order SET next_at = next_at - 60000 WHERE order_id = -1');
        $this->states([1]);
        self::assertCount(3, $this->ids());
    }

    public function testARecordWhoseNumberIsNotKnownNowMayHaveAReceipt(): void
    {
        $given = array_map(fn (string $state, int $at): array => ['order' => (string) $at, 'state' => $state,
            'document' => null, 'why' => null], ['recorded', 'replaced', 'removed', 'waiting'], range(1, 4));
        $this->give(['orders' => $given]);
        $states = $this->states([1, 2, 3, 4]);
        self::assertSame([true, true, false, false], array_map($states->mayHaveReceipt(...), [1, 2, 3, 4]));
        self::assertStringContainsString('>Recorded</a>', $states->mark(1, '/r'));
    }

    /** @dataProvider answersWithoutSense */
    public function testAnAnswerWithoutSenseLeavesTheTabOfAnOrder(mixed $answer, string $shown): void
    {
        $this->give($answer);
        self::assertSame([[$shown], ''], $this->tab());
    }

    /** @return array<string, array{mixed, string}> */
    public function answersWithoutSense(): array
    {
        $none = 'This order is no sale yet, so it was not sent.';
        $one = static fn (mixed $given): array => ['orders' => [$given]];
        return [
            'a number' => [7, $none],
            'orders that are no list' => [['orders' => 'x'], $none],
            'an order that is a word' => [$one('x'), $none],
            'no order' => [$one(['state' => 'recorded']), $none],
            'no state' => [$one(['order' => '1']), $none],
            'a state that is a list' => [$one(['order' => '1', 'state' => ['recorded']]), $none],
            'no document' => [$one(['order' => '1', 'state' => 'recorded']), 'Recorded'],
            'other types' => [$one(['order' => '1', 'state' => 'new', 'document' => [], 'why' => 7]), 'new'],
        ];
    }

    public function testThePageOfAnOrderIsShownWithoutATabThatCannotBeMade(): void
    {
        $this->outbox->drop();
        [$tabs, $log] = $this->tab();
        self::assertSame([], $tabs);
        self::assertStringStartsWith('orderbridge: mysqli_sql_exception 1146', $log);
    }

    public function testAStatusThatIsTickedLaterReachesOrdersThatWereSent(): void
    {
        foreach ([1, 2, 3] as $id) {
            self::$shop->order($id, 17);
        }
        $this->outbox->drop();
        $this->outbox->create();
        $this->outbox->changed(1);
        $this->outbox->changed(2);
        $this->sender->send(20);
        $this->outbox->deleted(2);
        $this->sender->send(20);

        $shop = $this->administration();
        self::assertSame(['Saved.', 0], $this->save($shop, ['5', '15', '2', '3']));
        $again = 'Saved. Orders that were sent already are sent again by the new settings.';
        self::assertSame([$again, 1], $this->save($shop, ['5', '15', '2', '3', '17']));
        $this->outbox->changed(3);
        self::assertSame(['3'], array_column($this->outbox->due(9), 'order_id'));
        // A process that began with the settings of before has ended.
        self::$shop->query('UPDATE oc_orderbridge_order SET next_at = next_at - 60000 WHERE next_at > 0');
        self::assertSame(['3', '1'], array_column($this->outbox->due(9), 'order_id'));
    }

    public function testSettingsAreNotSavedWithoutSendingAgain(): void
    {
        self::$shop->order(1);
        $this->outbox->changed(1);
        $this->sender->send(20);
        $shop = $this->administration();
        $shop->endsAtSaving = true;
        try {
            $this->save($shop, ['2']);
        } catch (\RuntimeException $thrown) {
            unset($_SERVER['REQUEST_METHOD']);
        }
        self::assertSame(['cut', 1], [$thrown->getMessage(), $this->outbox->waiting()]);
    }

    public function testTheAddressesThatTheSettingsShowAreOfHttpsWhereTheShopHasIt(): void
    {
        $shop = $this->administration();
        $this->save($shop, []);
        self::assertStringStartsWith('https://shop.example/index.php?route=', $shop->shown['cron_address']);
        self::assertStringStartsWith('https://shop.example/index.php?route=', $shop->shown['orders_address']);
    }

    /**
     * @param list<string> $paid
     * @return array{string, int} what the page says, and how many orders wait
     */
    private function save(object $shop, array $paid): array
    {
        $lists = ['paid' => $paid, 'cod_paid' => ['5'], 'refunded' => ['11'],
            'cancelled' => ['7', '8', '10', '12', '13', '14', '16']];
        $_POST = $lists + ['act' => 'save', 'cod' => 'cod', 'refund_codes' => 'refund', 'vouchers' => 'payment'];
        $_SERVER['REQUEST_METHOD'] = 'POST';
        $shop->index();
        unset($_SERVER['REQUEST_METHOD']);
        return [$shop->shown['success'], $this->outbox->waiting()];
    }

    /** @return array{list<string>, string} what the page of order 1 has in tabs of ours, and what was logged */
    private function tab(): array
    {
        $shop = $this->administration();
        $data = ['tabs' => []];
        $this->connected(static function () use ($shop, &$data): void {
            $route = '';
            $shop->orderTab($route, $data);
        });
        return [array_column($data['tabs'], 'content'), $shop->logged];
    }

    /** A controller of OpenCart, with as much of the administration as the module calls. */
    private function administration(): object
    {
        $constants = ['DB_PREFIX' => 'oc_', 'HTTP_CATALOG' => 'http://shop.example/',
            'HTTPS_CATALOG' => 'https://shop.example/'];
        foreach ($constants as $name => $value) {
            defined($name) || define($name, $value);
        }
        return new class (self::$shop) {
            use AdminActions;

            public string $logged = '';
            public bool $endsAtSaving = false;
            /** @var array<string, mixed> */
            public array $shown = [];
            public object $request;
            public object $session;

            public function __construct(public object $db)
            {
                $this->request = (object) ['get' => ['order_id' => '1']];
                $this->session = (object) ['data' => ['user_token' => 't']];
            }

            public function __get(string $name): self
            {
                return $this;
            }

            public function write(string $text): void
            {
                $this->logged .= $text;
            }

            public function hasPermission(): bool
            {
                return true;
            }

            public function get(): string
            {
                return 'en-gb';
            }

            public function link(): string
            {
                return '/r';
            }

            /** @param array<string, mixed> $data */
            public function view(string $name, array $data): string
            {
                $this->shown = $data;
                return $data['state'] ?? '';
            }

            /** @return list<array<string, mixed>> */
            public function getOrderStatuses(): array
            {
                return [];
            }

            /** @param array<string, mixed> $rows */
            public function editSetting(string $code, array $rows): void
            {
                $this->db->query("DELETE FROM oc_setting WHERE code = '$code'");
                foreach ($rows as $key => $value) {
                    $text = is_array($value) ? json_encode($value) : $value;
                    $row = "(0, '$code', '$key', '$text', " . (int) is_array($value) . ')';
                    $this->db->query("INSERT INTO oc_setting VALUES $row");
                }
                if ($this->endsAtSaving) {
                    throw new \RuntimeException('cut');
                }
            }

            /** @param list<mixed> $arguments */
            public function __call(string $name, array $arguments): string
            {
                return '';
            }

            protected function orderbridgeVersion(): Version
            {
                return Version::three();
            }
        };
    }

    private function give(mixed $answer): void
    {
        file_put_contents(self::$folder . '/answer', json_encode($answer));
    }

    /** @param list<int> $ids */
    private function states(array $ids): OrderStates
    {
        return $this->connected(fn (): OrderStates =>
            new OrderStates(new Module(self::$shop, 'oc_'), Texts::in('en-gb'), $ids));
    }

    /** Where the module is on. */
    private function connected(callable $work): mixed
    {
        $code = str_replace('://', '://whsec_' . rawurlencode(self::SECRET) . '@', self::$code->address);
        foreach (['status' => '1', 'code' => $code] as $name => $value) {
            $row = "(0, 'module_orderbridge', 'module_orderbridge_$name', '$value', 0)";
            self::$shop->query("INSERT INTO oc_setting (`store_id`, `code`, `key`, `value`, `serialized`) VALUES $row");
        }
        $done = $work();
        self::$shop->query('DELETE FROM oc_setting');
        return $done;
    }
}
