<?php

declare(strict_types=1);

namespace Orderbridge;

/** What is said of an exception: OpenCart's own repeat the SQL, which has the buyer's data. */
final class Problem
{
    public static function of(\Throwable $thrown): string
    {
        $place = basename($thrown->getFile()) . ':' . $thrown->getLine();
        return $thrown::class . " {$thrown->getCode()} ($place)";
    }
}
