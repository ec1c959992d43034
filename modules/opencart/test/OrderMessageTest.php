<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\OrderMessage;
use Orderbridge\Settings;
use PHPUnit\Framework\TestCase;

final class OrderMessageTest extends TestCase
{
    private const AT = 1_795_339_872_345;

    protected function setUp(): void
    {
        date_default_timezone_set('Europe/Sofia');
    }

    public function testAnOrderHasWhatTheSchemaAsksFor(): void
    {
        $order = $this->order((new SampleOrder())->product(20.0, 1, 20)->statuses([
            ['2026-11-21 09:30:00', 1], ['2026-11-21 09:31:12', 2],
        ]));
        self::assertSame([
            'id' => '7', 'number' => '7', 'status' => 'paid', 'createdAt' => '2026-11-21T09:30:00+02:00',
            'updatedAt' => '2026-11-22T09:31:12.345Z', 'paidAt' => '2026-11-21T09:31:12+02:00', 'currency' => 'EUR',
            'total' => '24.00',
            'lines' => [['id' => 'p40', 'kind' => 'item', 'name' => 'Tea & cup', 'quantity' => 1, 'amount' => '24.00',
                'vatRate' => '20']],
            'payment' => ['method' => 'stripe'],
            'customer' => ['email' => 'maria@example.com', 'firstName' => 'Maria', 'lastName' => "O'Neil"],
            'refunds' => [],
        ], $order);
    }

    /**
     * @dataProvider statuses
     * @param list<int> $history
     */
    public function testAStatusMeans(string $method, array $history, string $status, bool $isPaid): void
    {
        $sample = (new SampleOrder())->product(20.0, 1, 20);
        $sample->order['payment_code'] = $method;
        $rows = array_map(fn (int $id): array => ['2026-11-21 10:00:00', $id], $history);
        $order = $this->order($sample->statuses($rows));
        self::assertSame([$status, $isPaid], [$order['status'], $order['paidAt'] !== null]);
    }

    /** @return array<string, array{string, list<int>, string, bool}> */
    public function statuses(): array
    {
        return [
            'pending' => ['stripe', [1], 'pending', false],
            'processing' => ['stripe', [1, 2], 'paid', true],
            'back to pending' => ['stripe', [2, 1], 'pending', true],
            'cancelled unpaid' => ['stripe', [1, 7], 'cancelled', false],
            'cancelled after payment' => ['stripe', [2, 7], 'cancelled', true],
            'refunded' => ['stripe', [2, 11], 'paid', true],
            'refunded, never paid' => ['stripe', [1, 11], 'cancelled', false],
            'chargeback' => ['stripe', [2, 13], 'cancelled', true],
            'edited' => ['stripe', [2, 16, 2], 'paid', true],
            'cash on delivery, new' => ['cod', [1], 'pending', false],
            'cash on delivery, sent' => ['cod', [1, 3], 'on-delivery', false],
            'cash on delivery, paid' => ['cod', [1, 3, 5], 'paid', true],
        ];
    }

    public function testTheStatusRefundedGivesAllLinesBack(): void
    {
        $sample = (new SampleOrder())->product(20.0, 2, 20)->fee('shipping', 5.0, 20)->coupon(50);
        $order = $this->order($sample->statuses([['2026-11-21 09:31:12', 2], ['2026-11-22 08:00:00', 11]]));
        self::assertSame([[
            'id' => 's2', 'at' => '2026-11-22T08:00:00+02:00', 'amount' => '30.00', 'lines' => [
                ['lineId' => 'p40', 'quantity' => 2, 'amount' => '24.00'],
                ['lineId' => 't-shipping', 'quantity' => 1, 'amount' => '6.00'],
            ],
        ]], $order['refunds']);
    }

    public function testRefundedTwiceIsAnotherRefund(): void
    {
        $history = [['2026-11-21 09:31:12', 2], ['2026-11-22 08:00:00', 11], ['2026-11-22 09:00:00', 2]];
        $back = $this->order((new SampleOrder())->product(20.0, 1, 20)->statuses($history));
        $again = $this->order((new SampleOrder())->product(20.0, 1, 20)->statuses([
            ...$history, ['2026-11-22 10:00:00', 11], ['2026-11-22 11:00:00', 11],
        ]));
        self::assertSame([[], ['s4']], [$back['refunds'], array_column($again['refunds'], 'id')]);
    }

    public function testANegativeTotalIsARefundAtTheMomentItIsSeenFirst(): void
    {
        $sample = (new SampleOrder())->product(20.0, 1, 20)->total('refund', -6.0)
            ->statuses([['2026-11-21 09:31:12', 2]]);
        $wanted = ['id' => 'n0-600', 'at' => '2026-11-22T09:31:12.345Z', 'amount' => '6.00'];
        $order = $this->order($sample);
        self::assertSame(['24.00', [$wanted]], [$order['total'], $order['refunds']]);
        self::assertSame(['n0-600' => 5], OrderMessage::refundTimes($sample->lines(), ['n0-600' => 5, 'n0-1' => 3], 9));
    }

    /** @dataProvider methods */
    public function testAMethodOrOneOptionOfItIsCashOnDelivery(string $set, string $method, string $status): void
    {
        $sample = (new SampleOrder())->product(20.0, 1, 20)->statuses([['2026-11-21 10:00:00', 2]]);
        unset($sample->order['payment_code']);
        $sample->order = ['payment_method' => json_encode(['name' => 'Econt', 'code' => $method])] + $sample->order;
        $order = $this->order($sample, ['module_orderbridge_cod' => ['cod', $set]]);
        self::assertSame([$status, $status === 'paid'], [$order['status'], $order['paidAt'] !== null]);
    }

    /** @return list<array{string, string, string}> */
    public function methods(): array
    {
        return [
            ['econt', 'econt', 'on-delivery'],
            ['econt', 'econt.door', 'on-delivery'],
            ['econt.econt', 'econt', 'on-delivery'],
            ['econt.econt', 'econt.econt', 'on-delivery'],
            ['econt.econt', 'econt.card', 'paid'],
            ['xpayment.xpayment2', 'xpayment.xpayment2', 'on-delivery'],
            ['xpayment.xpayment2', 'xpayment.xpayment1', 'paid'],
            ['xpayment.xpayment2', 'xpayment', 'paid'],
            ['xpayment.xpayment2', '', 'paid'],
        ];
    }

    public function testOpenCartFourNamesTheMethodInJson(): void
    {
        $sample = (new SampleOrder())->product(20.0, 1, 20);
        unset($sample->order['payment_code']);
        $method = ['payment_method' => '{"name":"Cash","code":"cod.cod"}', 'transaction_id' => 'ch_1'];
        $sample->order = $method + $sample->order;
        self::assertSame(['method' => 'cod', 'transactionId' => 'ch_1'], $this->order($sample)['payment']);
    }

    /**
     * @param array<string, mixed> $set
     * @return array<string, mixed>
     */
    private function order(SampleOrder $sample, array $set = []): array
    {
        $settings = Settings::of($set);
        $times = OrderMessage::refundTimes($sample->lines(), [], self::AT);
        return (new OrderMessage($sample->rows(), $sample->lines(), $settings, $times))->order(self::AT);
    }
}
