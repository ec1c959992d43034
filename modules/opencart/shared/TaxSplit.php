<?php

declare(strict_types=1);

namespace Orderbridge;

/**
 * Finds out which VAT rate shipping and fees have, and how much of the discounts each rate bears: OpenCart
 * keeps neither. What is known are the tax totals: tax / rate is the net amount that was taxed at it.
 */
final class TaxSplit
{
    private const TOLERANCE = 0.02;
    private const MOST_TRIALS = 5000;
    private const UNLIKELY = 1.0e9;
    /** What explains the tax to the cent is before what only comes near it. */
    private const INEXACT = 100;

    /**
     * @param array<string, float> $products net amounts by rate (percent, as text)
     * @param list<array{code: string, net: float}> $extras shipping and fees
     * @param array<string, float> $taxes amounts of tax by rate
     */
    public function __construct(
        private readonly array $products,
        private readonly array $extras,
        private readonly array $taxes,
    ) {
    }

    /**
     * Null: the amounts of the order do not explain its tax.
     *
     * @return array{rates: list<float>, discounts: array<string, float>}|null rates of the extras, net discount by rate
     */
    public function solve(float $discount, Rates $rates): ?array
    {
        $best = null;
        $least = INF;
        foreach ($this->candidates($rates) as $chosen) {
            $discounts = $this->discounts($chosen, $discount);
            $cost = $discounts === null
                ? INF
                : $this->cost($chosen, $discounts, $rates)
                    + self::INEXACT * abs(array_sum($discounts) - $discount);
            if ($cost < $least) {
                $least = $cost;
                $best = ['rates' => $chosen, 'discounts' => $discounts ?? []];
            }
        }
        return $best;
    }

    /** @return iterable<list<float>> rates of all extras */
    private function candidates(Rates $rates): iterable
    {
        $all = $rates->all();
        $count = min(count($all) ** count($this->extras), self::MOST_TRIALS);
        for ($trial = 0; $trial < $count; $trial++) {
            $rest = $trial;
            $chosen = [];
            foreach ($this->extras as $unused) {
                $chosen[] = $all[$rest % count($all)];
                $rest = intdiv($rest, count($all));
            }
            yield $chosen;
        }
    }

    /**
     * @param list<float> $chosen
     * @return array<string, float>|null
     */
    private function discounts(array $chosen, float $discount): ?array
    {
        $nets = $this->products;
        foreach ($this->extras as $at => $extra) {
            $key = (string) $chosen[$at];
            $nets[$key] = ($nets[$key] ?? 0.0) + $extra['net'];
        }
        $discounts = [];
        foreach ($nets + array_map(fn (): float => 0.0, $this->taxes) as $key => $net) {
            $rate = (float) $key;
            if ($rate > 0) {
                $discounts[(string) $key] = $net - ($this->taxes[(string) $key] ?? 0.0) / ($rate / 100);
            }
        }
        $discounts['0'] = $discount - array_sum($discounts);
        foreach ($discounts as $key => $amount) {
            if ($amount < -self::TOLERANCE || $amount > ($nets[$key] ?? 0.0) + self::TOLERANCE) {
                return null;
            }
            $discounts[$key] = max(0.0, abs($amount) <= self::TOLERANCE && $discount == 0.0 ? 0.0 : $amount);
        }
        return $discounts;
    }

    /**
     * Rates that the shop's settings do not give are the last choice; then, most discounts are in proportion.
     *
     * @param list<float> $chosen
     * @param array<string, float> $discounts
     */
    private function cost(array $chosen, array $discounts, Rates $rates): float
    {
        $cost = 0.0;
        foreach ($this->extras as $at => ['code' => $code]) {
            $likely = $rates->likelyFor($code);
            if ($likely !== [] && !in_array($chosen[$at], $likely, true)) {
                $cost += self::UNLIKELY;
            }
        }
        $whole = array_sum($this->products);
        foreach ($discounts as $key => $amount) {
            $share = $whole > 0 ? ($this->products[$key] ?? 0.0) / $whole : 0.0;
            $cost += abs($amount - array_sum($discounts) * $share);
        }
        return $cost;
    }
}
