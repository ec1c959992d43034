<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\OrderLines;
use Orderbridge\OrderRows;
use Orderbridge\Rates;
use Orderbridge\Settings;
use PHPUnit\Framework\TestCase;

final class OrderLinesTest extends TestCase
{
    public function testALineHasItsPriceWithVat(): void
    {
        $lines = (new SampleOrder())->product(20.0, 2, 20)->lines();
        self::assertSame(
            [['id' => 'p40', 'kind' => 'item', 'name' => 'Tea & cup', 'quantity' => 2, 'amount' => '48.00',
                'vatRate' => '20']],
            $lines->lines(),
        );
        self::assertSame(4800, $lines->total());
    }

    public function testTheSameProductTwiceIsTwoLines(): void
    {
        $order = (new SampleOrder())->product(1.0, 1, 20)->product(2.0, 1, 20);
        $order->products[1]['product_id'] = 40;
        self::assertSame(['p40', 'p40-2'], array_column($order->lines()->lines(), 'id'));
    }

    public function testShippingAndFeesHaveTheRateThatTheTaxTotalsExplain(): void
    {
        $order = (new SampleOrder())->product(10.0, 1, 9)->fee('shipping', 5.0, 20)->fee('handling', 2.0, 9)
            ->fee('low_order_fee', 1.0, 0);
        self::assertSame(
            ['p40' => '9 10.90', 't-shipping' => '20 6.00', 't-handling' => '9 2.18', 't-low_order_fee' => '0 1.00'],
            $this->short($order->lines()),
        );
    }

    public function testACouponIsTakenOffEachRateAsOpenCartDid(): void
    {
        $order = (new SampleOrder())->product(100.0, 1, 20)->product(50.0, 1, 9)->fee('shipping', 5.0, 20)
            ->coupon(10, [1]);
        self::assertSame(
            ['p40' => '20 120.00', 'p41' => '9 54.50 - 5.45', 't-shipping' => '20 6.00'],
            $this->short($order->lines()),
        );
    }

    public function testRewardPointsAreADiscountToo(): void
    {
        $order = (new SampleOrder())->product(10.0, 1, 20)->product(10.0, 1, 0)->coupon(50, null, 'reward');
        self::assertSame(['p40' => '20 12.00 - 6.00', 'p41' => '0 10.00 - 5.00'], $this->short($order->lines()));
    }

    public function testACouponWithFreeShippingMakesShippingCostNothing(): void
    {
        $order = (new SampleOrder())->product(10.0, 1, 20)->fee('shipping', 5.0, 20)->coupon(100)->coupon(0);
        $order->fee('coupon', -5.0, 20);
        $wanted = ['p40' => '20 12.00 - 12.00', 't-shipping' => '20 6.00 - 6.00'];
        self::assertSame($wanted, $this->short($order->lines()));
        self::assertSame(0, $order->lines()->total());
    }

    public function testAVoucherAndStoreCreditPay(): void
    {
        $lines = (new SampleOrder())->product(100.0, 1, 20)->total('voucher', -30.0)->total('credit', -90.0)->lines();
        self::assertSame(12000, $lines->total());
        self::assertSame(['p40' => '20 120.00'], $this->short($lines));
    }

    public function testOrTheyAreADiscountOnEverythingIfTheMerchantSaysSo(): void
    {
        $order = (new SampleOrder())->product(100.0, 1, 20)->product(100.0, 1, 9)->total('voucher', -22.9);
        $lines = $order->lines(['module_orderbridge_vouchers' => 'discount']);
        self::assertSame(20610, $lines->total());
        self::assertSame(['p40' => '20 120.00 - 12.00', 'p41' => '9 109.00 - 10.90'], $this->short($lines));
    }

    public function testASoldVoucherIsAGiftCard(): void
    {
        $lines = (new SampleOrder())->product(10.0, 1, 20)->sellVoucher(25.0)->lines()->lines();
        self::assertSame(['v1', '25.00', '0', true], [
            $lines[1]['id'], $lines[1]['amount'], $lines[1]['vatRate'], $lines[1]['giftCard'] ?? false,
        ]);
    }

    public function testANegativeTotalOfTheRefundsIsNoDiscount(): void
    {
        $lines = (new SampleOrder())->product(100.0, 1, 20)->total('refund', -20.0)->lines();
        self::assertSame([12000, [2000]], [$lines->total(), $lines->refunds()]);
    }

    public function testAmountsAreInTheBuyersCurrency(): void
    {
        $order = (new SampleOrder())->product(10.0, 3, 20)->currency('USD', '1.16660000');
        self::assertSame(['p40' => '20 42.00'], $this->short($order->lines()));
    }

    public function testAFreeProductHasTheRateOfTheOthers(): void
    {
        $order = (new SampleOrder())->product(0.0, 1, 20)->product(5.0, 1, 9);
        self::assertSame(['p40' => '9 0.00', 'p41' => '9 5.45'], $this->short($order->lines()));
    }

    /** @dataProvider taxTitles */
    public function testARateWhoseNameOthersHaveIsThatOfTheProducts(string $title): void
    {
        $totals = [];
        foreach (['coupon' => -10, 'shipping' => 10, 'tax' => 19, 'total' => 119] as $code => $value) {
            $totals[] = ['code' => $code, 'title' => $code === 'tax' ? $title : $code, 'value' => $value];
        }
        $product = ['product_id' => 40, 'name' => 'Tea', 'quantity' => 1, 'price' => 100, 'total' => 100, 'tax' => 19];
        $rates = new Rates(['VAT' => [19.0, 20.0], 'MwSt' => [19.0]], ['shipping' => [19.0, 20.0]]);
        $order = ['total' => 119, 'currency_value' => 1];
        $lines = new OrderLines(new OrderRows($order, [$product], [], $totals, [], 2), $rates, Settings::of([]));
        self::assertSame(['p40' => '19 119.00 - 11.90', 't-shipping' => '19 11.90'], $this->short($lines));
    }

    /** @return list<array{string}> */
    public function taxTitles(): array
    {
        return [['VAT'], ['MwSt']];
    }

    /** So the order needs review: nothing says whether such a tax is in the taxable amount. */
    public function testATaxOfAFixedAmountIsNoVatAndNoLineHasIt(): void
    {
        $order = (new SampleOrder())->product(33.3333, 2, 20)->fixedTax(0.35)->product(12.3457, 1, 0)->fixedTax(0.35)
            ->fee('shipping', 5.0, 20);
        self::assertSame(
            [9940, ['p40' => '20 80.00', 'p41' => '0 12.35', 't-shipping' => '20 6.00']],
            [$order->lines()->total(), $this->short($order->lines())],
        );
    }

    public function testATaxOfAFixedAmountIsNoVatEvenIfItComesToARate(): void
    {
        $order = (new SampleOrder())->product(10.0, 1, 20)->product(1.75, 2, 0)->fixedTax(0.35);
        self::assertSame(
            [1620, ['p40' => '20 12.00', 'p41' => '0 3.50']],
            [$order->lines()->total(), $this->short($order->lines())],
        );
    }

    public function testAnOrderThatIsNotConsistentStaysSo(): void
    {
        $rows = (new SampleOrder())->product(10.0, 1, 20);
        $rows->order['total'] = '99.0000';
        $lines = new OrderLines(
            new OrderRows($rows->order, $rows->products, [], $rows->rows()->totals, [], 2),
            SampleOrder::rates(),
            Settings::of([]),
        );
        self::assertSame([9900, ['p40' => '20 12.00']], [$lines->total(), $this->short($lines)]);
    }

    /** At 20 % the fee, less than what a rate may lack, would explain the tax nearly, too. */
    public function testATinyFeeHasTheRateThatExplainsItsTaxExactly(): void
    {
        $order = (new SampleOrder())->product(117.5926, 9, 20)->coupon(42)->fee('shipping', 5.7068, 0);
        $lines = $order->fee('handling', 0.0192, 9)->currency('USD', '2.65038000')->lines();
        self::assertSame([$lines->total(), '9'], [$this->sum($lines->lines()), $lines->lines()[2]['vatRate']]);
    }

    public function testRandomOrdersComeToTheirTotalAndTheVatOfEachRate(): void
    {
        $seed = (int) (getenv('SEED') ?: random_int(1, 1_000_000));
        mt_srand($seed);
        for ($run = 0; $run < 2000; $run++) {
            $order = $this->random();
            $rows = $order->rows();
            $lines = new OrderLines($rows, SampleOrder::rates(), Settings::of([]));
            self::assertSame($lines->total(), $this->sum($lines->lines()), "seed $seed, run $run");
            foreach ($rows->totals as $total) {
                if ($total['code'] !== 'tax') {
                    continue;
                }
                $rate = (float) preg_replace('/\D/', '', $total['title']);
                $at = array_filter($lines->lines(), fn (array $line): bool => (float) $line['vatRate'] === $rate);
                $exact = $total['value'] * $rows->order['currency_value'];
                $found = $this->sum($at) / 100 * $rate / (100 + $rate);
                $slack = 0.005 * (2 * count($lines->lines()) + 2);
                self::assertEqualsWithDelta($exact, $found, $slack, "seed $seed, run $run, rate $rate");
            }
        }
    }

    private function random(): SampleOrder
    {
        $rates = [0, 9, 20];
        $order = new SampleOrder();
        for ($left = mt_rand(1, 5); $left > 0; $left--) {
            $order->product(mt_rand(1, 2_000_000) / 10_000, mt_rand(1, 9), $rates[mt_rand(0, 2)]);
        }
        if (mt_rand(0, 1) === 1) {
            $places = array_filter(array_keys($order->products), fn (): bool => mt_rand(0, 2) > 0);
            $order->coupon(mt_rand(1, 90), mt_rand(0, 1) === 1 ? null : array_values($places));
        }
        foreach (['shipping', 'handling'] as $code) {
            if (mt_rand(0, 2) > 0) {
                $order->fee($code, mt_rand(1, 99_999) / 10_000, $rates[mt_rand(0, 2)]);
            }
        }
        if (mt_rand(0, 3) === 0) {
            $order->total('credit', -mt_rand(1, 5000) / 10_000);
        }
        return mt_rand(0, 2) === 0 ? $order->currency('USD', (string) (mt_rand(50_000, 300_000) / 100_000)) : $order;
    }

    /** @param array<array<string, mixed>> $lines */
    private function sum(array $lines): int
    {
        return (int) round(array_sum(array_map(
            fn (array $line): float => 100 * ($line['amount'] - ($line['discount'] ?? 0)),
            $lines,
        )));
    }

    /** @return array<string, string> */
    private function short(OrderLines $lines): array
    {
        $short = [];
        foreach ($lines->lines() as $line) {
            $off = isset($line['discount']) ? " - {$line['discount']}" : '';
            $short[$line['id']] = "{$line['vatRate']} {$line['amount']}$off";
        }
        return $short;
    }
}
