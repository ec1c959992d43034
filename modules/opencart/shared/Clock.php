<?php

declare(strict_types=1);

namespace Orderbridge;

/** Instants as text. OpenCart's columns are in the shop's own zone, which it makes PHP's. */
final class Clock
{
    public static function now(): int
    {
        return (int) floor(microtime(true) * 1000);
    }

    /** @param int $ms since 1970 */
    public static function iso(int $ms): string
    {
        return gmdate('Y-m-d\TH:i:s', intdiv($ms, 1000)) . sprintf('.%03dZ', $ms % 1000);
    }

    public static function isoOfLocal(string $local): string
    {
        return (new \DateTimeImmutable($local))->format(\DATE_ATOM);
    }

    /** Ms since 1970 of ISO 8601; null: it is none. */
    public static function msOf(string $iso): ?int
    {
        if (preg_match('/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/', $iso) !== 1) {
            return null;
        }
        try {
            $moment = new \DateTimeImmutable($iso);
        } catch (\Exception) {
            return null;
        }
        return $moment->getTimestamp() * 1000 + (int) $moment->format('v');
    }
}
