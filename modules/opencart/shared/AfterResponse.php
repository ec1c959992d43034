<?php

declare(strict_types=1);

namespace Orderbridge;

/**
 * Sends once the shopper has their answer, where PHP can give it before the program ends (PHP-FPM, LiteSpeed).
 * Elsewhere nobody is made to wait: what waits is sent by cron, or with the next reading by orderbridge.
 */
final class AfterResponse
{
    private const SECONDS = 8;

    private static bool $isPlanned = false;

    public static function send(Module $module): void
    {
        if (self::$isPlanned) {
            return;
        }
        self::$isPlanned = true;
        register_shutdown_function(static function () use ($module): void {
            if (self::isAnswered()) {
                self::quietly($module);
            }
        });
    }

    private static function isAnswered(): bool
    {
        foreach (['fastcgi_finish_request', 'litespeed_finish_request'] as $finish) {
            if (function_exists($finish)) {
                session_write_close();
                return (bool) $finish();
            }
        }
        return PHP_SAPI === 'cli';
    }

    /** The shop's request is over: what fails here is in the outbox still. */
    private static function quietly(Module $module): void
    {
        try {
            ignore_user_abort(true);
            $module->sender()?->send(self::SECONDS);
        } catch (\Throwable $thrown) {
            error_log('orderbridge: ' . Problem::of($thrown));
        }
    }
}
