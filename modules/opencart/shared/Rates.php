<?php

declare(strict_types=1);

namespace Orderbridge;

/** The shop's VAT rates in percent: an order has amounts of tax and names of rates, but no rate. */
final class Rates
{
    /**
     * @param array<string, list<float>> $byName several rates may have one name
     * @param array<string, list<float>> $likely rates that a total (by its code) has by the shop's settings
     */
    public function __construct(private readonly array $byName, private readonly array $likely = [])
    {
    }

    /** The rate of a net price and its tax, both rounded to four decimals; null: the price is zero. */
    public function ofPrice(float $price, float $tax): ?float
    {
        if (abs($price) < 0.00005) {
            return null;
        }
        $exact = $tax / $price * 100;
        $tolerance = 0.01 + 0.0075 / abs($price);
        $nearest = $this->nearest($exact);
        return abs($nearest - $exact) <= $tolerance ? $nearest : round($exact, 2);
    }

    /** The rate that a tax total is named after; its name is as old as the order. Null: it names none, or several. */
    public function named(string $title): ?float
    {
        if (preg_match('/(\d{1,2}(?:[.,]\d+)?)\s*%/', $title, $found) === 1) {
            return (float) str_replace(',', '.', $found[1]);
        }
        $rates = $this->byName[$title] ?? [];
        return count($rates) === 1 ? $rates[0] : null;
    }

    /** @return list<float> */
    public function likelyFor(string $code): array
    {
        return $this->likely[$code] ?? [];
    }

    /** @return list<float> every rate, and zero */
    public function all(): array
    {
        return array_values(array_unique([...array_merge(...array_values($this->byName)), 0.0]));
    }

    private function nearest(float $exact): float
    {
        $rates = $this->all();
        usort($rates, fn (float $a, float $b): int => abs($a - $exact) <=> abs($b - $exact));
        return $rates[0];
    }
}
