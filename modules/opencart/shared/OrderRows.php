<?php

declare(strict_types=1);

namespace Orderbridge;

/** An order as OpenCart's tables have it. */
final class OrderRows
{
    /**
     * @param array<string, mixed> $order
     * @param list<array<string, mixed>> $products
     * @param list<array<string, mixed>> $vouchers gift vouchers that it sells (3.0)
     * @param list<array<string, mixed>> $totals
     * @param list<array<string, mixed>> $history
     */
    public function __construct(
        public readonly array $order,
        public readonly array $products,
        public readonly array $vouchers,
        public readonly array $totals,
        public readonly array $history,
        public readonly int $decimals,
    ) {
    }
}
