<?php

declare(strict_types=1);

namespace Orderbridge;

/**
 * The lines of an order with VAT, in the order's currency and to the cent.
 * OpenCart keeps net amounts of four decimals in the shop's currency, and rounds only the total of the order.
 */
final class OrderLines
{
    private const SKIPPED = ['sub_total', 'total', 'tax'];
    private const PAYING = ['voucher', 'credit'];

    /** @var list<array{id: string, kind: string, name: string, quantity: int, rate: float|null, net: float,
     *     tax: float|null, off: float, gift: bool}> */
    private array $lines = [];
    /** @var array<string, float> */
    private array $taxes = [];
    private float $discount = 0.0;
    private float $paidByVoucher = 0.0;
    /** Taxes of fixed amounts: they are no VAT, and no line has them, so that a person must decide. */
    private float $fixedTax = 0.0;
    /** @var list<float> */
    private array $refunds = [];

    public function __construct(
        private readonly OrderRows $rows,
        private readonly Rates $rates,
        private readonly Settings $settings,
    ) {
        $this->readProducts();
        $this->readVouchers();
        $extras = $this->readTotals();
        $this->splitTaxes($extras);
    }

    /** @return list<int> refunds that are negative totals, in the smallest unit of the currency */
    public function refunds(): array
    {
        return array_map(fn (float $amount): int => $this->cents($amount), $this->refunds);
    }

    /** What the buyer pays, before any refund: with vouchers and store credit, if they count as payment. */
    public function total(): int
    {
        $vouchers = $this->settings->vouchersPay() ? $this->cents($this->paidByVoucher) : 0;
        return $this->cents((float) $this->rows->order['total']) + $vouchers + array_sum($this->refunds());
    }

    /** @return list<array<string, mixed>> as orderbridge takes them: their sum is the total of a consistent order */
    public function lines(): array
    {
        $lines = $this->rounded();
        $free = $this->rateOfFree();
        return array_map(fn (array $line): array => array_filter([
            'id' => $line['id'],
            'kind' => $line['kind'],
            'name' => $line['name'],
            'quantity' => $line['quantity'],
            'amount' => $this->text($line['amount']),
            'discount' => $line['discount'] === 0 ? null : $this->text($line['discount']),
            'vatRate' => (string) round($line['rate'] ?? $free, 4),
            'giftCard' => $line['gift'] ?: null,
        ], fn (mixed $value): bool => $value !== null), $lines);
    }

    public function text(int $cents): string
    {
        return number_format($cents / 10 ** $this->rows->decimals, $this->rows->decimals, '.', '');
    }

    private function readProducts(): void
    {
        $seen = [];
        $fixed = $this->fixedTaxes();
        foreach ($this->rows->products as $row) {
            $quantity = (int) $row['quantity'];
            if ($quantity <= 0) {
                continue;
            }
            $id = 'p' . $row['product_id'];
            $seen[$id] = ($seen[$id] ?? 0) + 1;
            $rate = $this->rates->ofPrice((float) $row['price'], (float) $row['tax'], $fixed);
            $isKnown = $rate === null || in_array($rate, $this->rates->all(), true);
            $tax = $isKnown ? null : (float) $row['tax'] * $quantity;
            $this->add([
                'id' => $seen[$id] === 1 ? $id : $id . '-' . $seen[$id],
                'name' => $row['name'],
                'quantity' => $quantity,
                'rate' => $rate,
                'net' => (float) $row['total'],
                'tax' => $tax,
            ]);
        }
    }

    /** @return list<float> */
    private function fixedTaxes(): array
    {
        $titles = array_column(array_filter($this->rows->totals, static fn (array $total): bool =>
            $total['code'] === 'tax'), 'title');
        return array_merge(...array_map($this->rates->fixedOf(...), $titles));
    }

    private function readVouchers(): void
    {
        foreach ($this->rows->vouchers as $at => $row) {
            $this->add([
                'id' => 'v' . ($at + 1),
                'name' => $row['description'],
                'rate' => 0.0,
                'net' => (float) $row['amount'],
                'gift' => true,
            ]);
        }
    }

    /** @return array<int, string> codes of shipping and fees, by their place among the lines */
    private function readTotals(): array
    {
        $extras = [];
        $seen = [];
        foreach ($this->rows->totals as ['code' => $code, 'title' => $title, 'value' => $value]) {
            $value = (float) $value;
            if ($code === 'tax') {
                $this->readTax((string) $title, $value);
            } elseif ($value < 0 && in_array($code, $this->settings->all('refund_codes'), true)) {
                $this->refunds[] = -$value;
            } elseif ($value < 0 && in_array($code, self::PAYING, true)) {
                $this->paidByVoucher -= $value;
            } elseif ($value < 0) {
                $this->discount -= $value;
            } elseif ($value > 0 && !in_array($code, self::SKIPPED, true)) {
                $seen[$code] = ($seen[$code] ?? 0) + 1;
                $extras[count($this->lines)] = $code;
                $this->add([
                    'id' => $seen[$code] === 1 ? "t-$code" : "t-$code-$seen[$code]",
                    'kind' => $code === 'shipping' ? 'shipping' : 'fee',
                    'name' => $title,
                    'net' => $value,
                    'rate' => null,
                ]);
            }
        }
        return $extras;
    }

    private function readTax(string $title, float $value): void
    {
        if ($this->rates->fixedOf($title) !== []) {
            $this->fixedTax += $value;
            return;
        }
        $taxed = array_filter(array_column($this->lines, 'rate'));
        $only = count(array_unique($taxed)) === 1 ? reset($taxed) : null;
        $rate = $this->rates->named($title) ?? $only;
        if ($rate !== null) {
            $this->taxes[(string) $rate] = ($this->taxes[(string) $rate] ?? 0.0) + $value;
        }
    }

    /** @param array<int, string> $places */
    private function splitTaxes(array $places): void
    {
        $products = [];
        foreach ($this->lines as ['id' => $id, 'rate' => $rate, 'net' => $net, 'gift' => $gift]) {
            if ($rate !== null && !$gift) {
                $products[(string) $rate] = ($products[(string) $rate] ?? 0.0) + $net;
            }
        }
        $extras = [];
        foreach ($places as $place => $code) {
            $extras[] = ['code' => $code, 'net' => $this->lines[$place]['net']];
        }
        $split = (new TaxSplit($products, $extras, $this->taxes))->solve($this->discount, $this->rates);
        foreach (array_keys($places) as $at => $place) {
            $likely = $this->rates->likelyFor($extras[$at]['code']);
            $this->lines[$place]['rate'] = $split['rates'][$at] ?? $likely[0] ?? $this->rateOfFree();
        }
        foreach ($split['discounts'] ?? $this->inProportion($products) as $rate => $amount) {
            $this->takeOff((float) $rate, $amount);
        }
        if (!$this->settings->vouchersPay()) {
            $this->takeOffAll($this->paidByVoucher);
        }
    }

    /**
     * @param array<string, float> $products
     * @return array<string, float>
     */
    private function inProportion(array $products): array
    {
        $whole = array_sum($products);
        return $whole > 0 ? array_map(fn (float $net): float => $this->discount * $net / $whole, $products) : [];
    }

    /** A net discount on what has a rate: first on goods, then on shipping and fees. */
    private function takeOff(float $rate, float $amount): void
    {
        foreach ([true, false] as $isItem) {
            $places = array_keys(array_filter($this->lines, fn (array $line): bool => $line['rate'] === $rate
                && !$line['gift'] && ($line['kind'] === 'item') === $isItem));
            $whole = array_sum(array_map(fn (int $at): float => $this->lines[$at]['net'], $places));
            $part = min($amount, $whole);
            foreach ($part > 0 ? $places : [] as $at) {
                $this->lines[$at]['off'] += $part * $this->lines[$at]['net'] / $whole * (1 + $rate / 100);
            }
            $amount -= $part;
        }
    }

    /** A discount with VAT on the whole order, over all lines in proportion. */
    private function takeOffAll(float $amount): void
    {
        $left = array_map(fn (array $line): float => $this->gross($line) - $line['off'], $this->lines);
        $whole = array_sum($left);
        foreach ($whole > 0 ? $left : [] as $at => $share) {
            $this->lines[$at]['off'] += $amount * $share / $whole;
        }
    }

    /**
     * Each amount is rounded as OpenCart shows it; what then lacks of the rounded total goes, a cent each, to
     * the lines that rounding took most from. More than rounding explains is left: the order needs review.
     *
     * @return list<array<string, mixed>>
     */
    private function rounded(): array
    {
        $lines = $this->lines;
        $sum = 0;
        $figures = 1;
        foreach ($lines as $at => $line) {
            $lines[$at]['amount'] = $this->cents($this->gross($line));
            $lines[$at]['discount'] = min($this->cents($line['off']), $lines[$at]['amount']);
            $sum += $lines[$at]['amount'] - $lines[$at]['discount'];
            $figures += $line['off'] > 0 ? 2 : 1;
        }
        $lack = $this->total() - $this->cents($this->fixedTax) - $sum;
        if (abs($lack) > $figures / 2 + 1) {
            return $lines;
        }
        for ($sign = $lack <=> 0; $lack !== 0; $lack -= $sign) {
            $at = $this->mostWronged($lines, $sign);
            if ($at === null) {
                break;
            }
            $lines[$at]['amount'] += $sign;
        }
        return $lines;
    }

    /** @param list<array<string, mixed>> $lines */
    private function mostWronged(array $lines, int $sign): ?int
    {
        $found = null;
        $most = -INF;
        foreach ($lines as $at => $line) {
            $exact = ($this->gross($line) - $line['off']) * $this->unit();
            $wrong = $sign * ($exact - ($line['amount'] - $line['discount']));
            $isPossible = $line['amount'] > 0 && $line['amount'] + $sign >= $line['discount'];
            if ($isPossible && $wrong > $most) {
                $most = $wrong;
                $found = $at;
            }
        }
        return $found;
    }

    /** @param array<string, mixed> $line */
    private function gross(array $line): float
    {
        return $line['net'] + ($line['tax'] ?? $line['net'] * ($line['rate'] ?? 0.0) / 100);
    }

    private function rateOfFree(): float
    {
        $nets = [];
        foreach ($this->lines as ['rate' => $rate, 'net' => $net, 'gift' => $gift]) {
            if ($rate !== null && !$gift) {
                $nets[(string) $rate] = ($nets[(string) $rate] ?? 0.0) + $net;
            }
        }
        arsort($nets);
        return (float) (array_key_first($nets) ?? 0);
    }

    private function cents(float $amount): int
    {
        return (int) round(round($amount * $this->unit(), 6));
    }

    /** How many of the smallest unit of the order's currency one of the shop's currency is. */
    private function unit(): float
    {
        return (float) $this->rows->order['currency_value'] * 10 ** $this->rows->decimals;
    }

    /** @param array<string, mixed> $line */
    private function add(array $line): void
    {
        $line['name'] = $this->plain((string) $line['name']);
        $this->lines[] = $line + [
            'kind' => 'item', 'quantity' => 1, 'rate' => 0.0, 'tax' => null, 'off' => 0.0, 'gift' => false,
        ];
    }

    /** OpenCart keeps names as HTML. */
    private function plain(string $html): string
    {
        $text = trim(strip_tags(html_entity_decode($html, ENT_QUOTES | ENT_HTML5, 'UTF-8')));
        return $text === '' ? '-' : mb_substr($text, 0, 1000);
    }
}
