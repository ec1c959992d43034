<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\OrderLines;
use Orderbridge\OrderRows;
use Orderbridge\Rates;
use Orderbridge\Settings;

/** An order as OpenCart would keep it, calculated anew as its cart does: net amounts, tax by rate, one total. */
final class SampleOrder
{
    /** @var list<array<string, mixed>> */
    public array $products = [];
    /** @var list<array<string, mixed>> */
    public array $vouchers = [];
    /** @var list<array<string, mixed>> */
    public array $history = [];
    /** @var array<string, mixed> */
    public array $order = [
        'order_id' => 7, 'order_status_id' => 5, 'currency_code' => 'EUR', 'currency_value' => '1.00000000',
        'date_added' => '2026-11-21 09:30:00', 'date_modified' => '2026-11-21 09:30:00', 'firstname' => 'Maria',
        'lastname' => 'O&#039;Neil', 'email' => 'maria@example.com', 'telephone' => '', 'payment_method' => 'Card',
        'payment_code' => 'stripe',
    ];
    /** @var list<array{code: string, title: string, value: float}> */
    private array $totals = [];
    /** @var array<int, float> */
    private array $taxes = [];

    public function product(float $price, int $quantity, int $rate): self
    {
        $this->products[] = [
            'product_id' => count($this->products) + 40, 'name' => 'Tea &amp; cup', 'quantity' => $quantity,
            'price' => round($price, 4), 'total' => round($price * $quantity, 4),
            'tax' => round($price * $rate / 100, 4), 'rate' => $rate,
        ];
        $this->tax($price * $quantity, $rate);
        return $this;
    }

    /** @param list<int>|null $places of the products that it is for */
    public function coupon(float $percent, ?array $places = null, string $code = 'coupon'): self
    {
        $value = 0.0;
        foreach ($places ?? array_keys($this->products) as $at) {
            $off = $this->products[$at]['total'] * $percent / 100;
            $value += $off;
            $this->tax(-$off, $this->products[$at]['rate']);
        }
        return $this->total($code, -$value);
    }

    public function fee(string $code, float $value, int $rate): self
    {
        $this->tax($value, $rate);
        return $this->total($code, $value);
    }

    /** A tax of a fixed amount on each piece of the last product. */
    public function fixedTax(float $amount): self
    {
        $last = array_key_last($this->products);
        $this->products[$last]['tax'] += $amount;
        return $this->total('tax', $amount * $this->products[$last]['quantity'], 'Deposit');
    }

    public function total(string $code, float $value, string $title = ''): self
    {
        $this->totals[] = ['code' => $code, 'title' => $title === '' ? $code : $title, 'value' => round($value, 4)];
        return $this;
    }

    public function sellVoucher(float $amount): self
    {
        $this->vouchers[] = ['description' => 'Gift', 'amount' => $amount];
        return $this;
    }

    public function currency(string $code, string $value): self
    {
        $this->order = ['currency_code' => $code, 'currency_value' => $value] + $this->order;
        return $this;
    }

    /** @param list<array{string, int}> $rows moments and statuses */
    public function statuses(array $rows): self
    {
        foreach ($rows as $at => [$moment, $status]) {
            $this->history[] = ['order_history_id' => $at + 1, 'date_added' => $moment, 'order_status_id' => $status];
            $this->order['order_status_id'] = $status;
        }
        return $this;
    }

    public function rows(): OrderRows
    {
        $sub = array_sum(array_column($this->products, 'total')) + array_sum(array_column($this->vouchers, 'amount'));
        $totals = [['code' => 'sub_total', 'title' => 'Sub-Total', 'value' => $sub], ...$this->totals];
        foreach ($this->taxes as $rate => $value) {
            $totals[] = ['code' => 'tax', 'title' => "VAT $rate%", 'value' => round($value, 4)];
        }
        $whole = $sub + array_sum(array_column($this->totals, 'value')) + array_sum($this->taxes);
        $totals[] = ['code' => 'total', 'title' => 'Total', 'value' => $whole];
        return new OrderRows(
            ['total' => round($whole, 4)] + $this->order,
            $this->products,
            $this->vouchers,
            $totals,
            $this->history,
            2,
        );
    }

    /** @param array<string, mixed> $settings */
    public function lines(array $settings = []): OrderLines
    {
        return new OrderLines($this->rows(), self::rates(), Settings::of($settings));
    }

    public static function rates(): Rates
    {
        return new Rates(['VAT 20%' => [20.0], 'VAT 9%' => [9.0]], ['shipping' => [20.0]], ['Deposit' => [0.35]]);
    }

    private function tax(float $net, int $rate): void
    {
        if ($rate > 0) {
            $this->taxes[$rate] = ($this->taxes[$rate] ?? 0.0) + $net * $rate / 100;
        }
    }
}
