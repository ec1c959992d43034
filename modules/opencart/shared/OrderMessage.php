<?php

declare(strict_types=1);

namespace Orderbridge;

/** An order as orderbridge takes it (docs/reference/standard-webhooks.schema.json). */
final class OrderMessage
{
    /** @param array<string, int> $refundTimes when each refund by a negative total was first seen, ms since 1970 */
    public function __construct(
        private readonly OrderRows $rows,
        private readonly OrderLines $lines,
        private readonly Settings $settings,
        private readonly array $refundTimes,
    ) {
    }

    /**
     * @param array<string, int> $known
     * @return array<string, int> the same with the refunds that are new at `$now`
     */
    public static function refundTimes(OrderLines $lines, array $known, int $now): array
    {
        $ids = self::refundIds($lines);
        return array_combine($ids, array_map(fn (string $id): int => $known[$id] ?? $now, $ids));
    }

    /** @return array<string, mixed> */
    public function order(int $changedAt): array
    {
        $paidAt = $this->paidAt();
        $status = $this->status($paidAt !== null);
        return [
            'id' => (string) $this->rows->order['order_id'],
            'number' => (string) $this->rows->order['order_id'],
            'status' => $status,
            'createdAt' => $this->instant((string) $this->rows->order['date_added']),
            'updatedAt' => Clock::iso($changedAt),
            'paidAt' => $paidAt,
            'currency' => strtoupper((string) $this->rows->order['currency_code']),
            'total' => $this->lines->text($this->lines->total()),
            'lines' => $this->lines->lines(),
            'payment' => $this->payment(),
            'customer' => $this->customer(),
            'refunds' => $this->refunds($paidAt !== null),
        ];
    }

    private function status(bool $isPaid): string
    {
        $current = (string) $this->rows->order['order_status_id'];
        if (in_array($current, $this->settings->all('refunded'), true)) {
            return $isPaid ? 'paid' : 'cancelled';
        }
        if (in_array($current, $this->settings->all('cancelled'), true)) {
            return 'cancelled';
        }
        if (in_array($current, $this->paidStatuses(), true)) {
            return 'paid';
        }
        return $this->isCod() && in_array($current, $this->settings->all('paid'), true) ? 'on-delivery' : 'pending';
    }

    /** When it first had a status that means paid. */
    private function paidAt(): ?string
    {
        $paid = $this->paidStatuses();
        foreach ($this->rows->history as $row) {
            if (in_array((string) $row['order_status_id'], $paid, true)) {
                return $this->instant((string) $row['date_added']);
            }
        }
        // Set by a program that writes no history.
        $isPaid = in_array((string) $this->rows->order['order_status_id'], $paid, true);
        return $isPaid ? $this->instant((string) $this->rows->order['date_added']) : null;
    }

    /** @return list<string> */
    private function paidStatuses(): array
    {
        return $this->settings->all($this->isCod() ? 'cod_paid' : 'paid');
    }

    private function isCod(): bool
    {
        $method = $this->method();
        $code = $this->paymentCode();
        // 4.1 names cash on delivery `cod.cod`, 3.0 `cod`. Other options of one method may be paid at once.
        $names = [$method, $code === $method ? "$method.$method" : $code];
        return array_intersect($names, $this->settings->all('cod')) !== [];
    }

    private function method(): string
    {
        return explode('.', $this->paymentCode())[0];
    }

    /** OpenCart 3.0 keeps a code, 4.1 JSON with a code of two parts: the method, and its option. */
    private function paymentCode(): string
    {
        $order = $this->rows->order;
        $given = json_decode((string) $order['payment_method'], true);
        return (string) ($order['payment_code'] ?? (is_array($given) ? $given['code'] ?? '' : ''));
    }

    /** @return array<string, string>|null */
    private function payment(): ?array
    {
        $method = $this->method();
        if ($method === '' && $this->lines->total() === 0) {
            return null;
        }
        $transaction = trim((string) ($this->rows->order['transaction_id'] ?? ''));
        $payment = ['method' => $method === '' ? 'unknown' : mb_substr($method, 0, 200)];
        return $transaction === '' ? $payment : $payment + ['transactionId' => mb_substr($transaction, 0, 200)];
    }

    /** @return array<string, string>|null */
    private function customer(): ?array
    {
        $columns = ['email' => 'email', 'phone' => 'telephone', 'firstName' => 'firstname', 'lastName' => 'lastname'];
        $customer = [];
        foreach ($columns as $field => $column) {
            $plain = html_entity_decode((string) ($this->rows->order[$column] ?? ''), ENT_QUOTES | ENT_HTML5, 'UTF-8');
            $value = mb_substr(trim($plain), 0, $field === 'phone' ? 50 : 200);
            if ($value !== '') {
                $customer[$field] = $value;
            }
        }
        return $customer === [] ? null : $customer;
    }

    /** @return list<array<string, mixed>> */
    private function refunds(bool $isPaid): array
    {
        $refunds = [];
        $amounts = $this->lines->refunds();
        foreach (self::refundIds($this->lines) as $at => $id) {
            $at = ['at' => Clock::iso($this->refundTimes[$id]), 'amount' => $this->lines->text($amounts[$at])];
            $refunds[] = ['id' => $id] + $at;
        }
        $whole = $isPaid ? $this->wholeRefund() : null;
        $rest = $this->lines->total() - array_sum($amounts);
        if ($whole === null || $rest <= 0) {
            return $refunds;
        }
        $refund = [
            'id' => 's' . $whole['order_history_id'],
            'at' => $this->instant((string) $whole['date_added']),
            'amount' => $this->lines->text($rest),
        ];
        $refunds[] = $amounts === [] ? $refund + ['lines' => $this->allLines()] : $refund;
        return $refunds;
    }

    /**
     * The row of the history that set the status “refunded” which the order has now.
     *
     * @return array<string, mixed>|null
     */
    private function wholeRefund(): ?array
    {
        $statuses = $this->settings->all('refunded');
        if (!in_array((string) $this->rows->order['order_status_id'], $statuses, true)) {
            return null;
        }
        $first = null;
        foreach ($this->rows->history as $row) {
            $first = in_array((string) $row['order_status_id'], $statuses, true) ? $first ?? $row : null;
        }
        return $first ?? ['order_history_id' => 0, 'date_added' => $this->rows->order['date_modified']];
    }

    /** @return list<array<string, mixed>> */
    private function allLines(): array
    {
        $given = [];
        foreach ($this->lines->lines() as $line) {
            $amount = round((float) $line['amount'] - (float) ($line['discount'] ?? 0), $this->rows->decimals);
            $given[] = [
                'lineId' => $line['id'],
                'quantity' => $line['quantity'],
                'amount' => number_format($amount, $this->rows->decimals, '.', ''),
            ];
        }
        return $given;
    }

    /**
     * A refund of another amount is another refund.
     *
     * @return list<string>
     */
    private static function refundIds(OrderLines $lines): array
    {
        $ids = [];
        foreach ($lines->refunds() as $at => $amount) {
            $ids[] = "n$at-$amount";
        }
        return $ids;
    }

    private function instant(string $local): string
    {
        return Clock::isoOfLocal($local);
    }
}
