<?php

declare(strict_types=1);

namespace Orderbridge;

/** The shop's VAT rates in percent: an order has amounts of tax and names of rates, but no rate. */
final class Rates
{
    /**
     * @param array<string, list<float>> $byName several rates may have one name
     * @param array<string, list<float>> $likely rates that a total (by its code) has by the shop's settings
     * @param array<string, list<float>> $fixed amounts of taxes that are no percentage, by name
     */
    public function __construct(
        private readonly array $byName,
        private readonly array $likely = [],
        private readonly array $fixed = [],
    ) {
    }

    /**
     * The rate of a net price and its tax, both rounded to four decimals; null: the price is zero.
     *
     * @param list<float> $fixed amounts that the tax may contain one of, beside or instead of VAT
     */
    public function ofPrice(float $price, float $tax, array $fixed = []): ?float
    {
        if (abs($price) < 0.00005) {
            return null;
        }
        $tolerance = 0.01 + 0.0075 / abs($price);
        foreach ([...$fixed, 0.0] as $amount) {
            $exact = ($tax - $amount) / $price * 100;
            $nearest = $this->nearest($exact);
            if (abs($nearest - $exact) <= $tolerance) {
                return $nearest;
            }
        }
        return round($exact, 2);
    }

    /** @return list<float> amounts of the taxes that a tax total is named after, if none of them is a percentage */
    public function fixedOf(string $title): array
    {
        return isset($this->byName[$title]) ? [] : $this->fixed[$title] ?? [];
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
