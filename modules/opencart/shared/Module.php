<?php

declare(strict_types=1);

namespace Orderbridge;

/** The parts of the module in one shop. */
final class Module
{
    public readonly Settings $settings;
    public readonly Outbox $outbox;
    public readonly OrderReader $orders;

    public function __construct(object $db, string $prefix)
    {
        $database = new Database($db, $prefix);
        $this->settings = Settings::read($database);
        $this->outbox = new Outbox($database);
        $this->orders = new OrderReader($database, $this->settings);
    }

    /** Null: there is no connection, or the module is off. */
    public function sender(): ?Sender
    {
        $connection = $this->settings->connection();
        return $connection === null || !$this->settings->isOn()
            ? null
            : new Sender($connection, $this->outbox, $this->orders, new Http());
    }

    public function endpoint(): Endpoint
    {
        $connection = $this->settings->isOn() ? $this->settings->connection() : null;
        return new Endpoint($connection, $this->outbox, $this->orders);
    }
}
