<?php

declare(strict_types=1);

namespace Orderbridge;

/** What the shop's side and the administration both hear: 4.1 deletes orders in either. */
trait OrderEvents
{
    /** The event before a deletion. Called by a URL, these have no order. */
    public function deleting(mixed &$route = '', mixed &$args = []): void
    {
        $this->orderbridgeNote($args, static function (Module $module, int $id): void {
            if ($module->outbox->of($id) === null) {
                $module->outbox->changed($id);
            }
            $row = $module->outbox->of($id);
            if ($row !== null) {
                $module->outbox->deleting($id, $module->orders->asItIs($row));
            }
        });
    }

    /** The event after it. */
    public function deleted(mixed &$route = '', mixed &$args = [], mixed &$output = null): void
    {
        $this->orderbridgeNote($args, static fn (Module $module, int $id) => $module->outbox->deleted($id));
    }

    private function orderbridgeNote(mixed $args, callable $note): void
    {
        if (!is_array($args) || !isset($args[0])) {
            return;
        }
        $this->orderbridgeQuietly(function () use ($args, $note): void {
            $module = new Module($this->db, DB_PREFIX);
            $note($module, (int) $args[0]);
            AfterResponse::send($module);
        });
    }

    /** What goes wrong here must not stop an order, nor the list of them. */
    private function orderbridgeQuietly(callable $work): void
    {
        try {
            $work();
        } catch (\Throwable $thrown) {
            $this->log->write('orderbridge: ' . Problem::of($thrown));
        }
    }
}
