<?php

declare(strict_types=1);

namespace Orderbridge;

/** What the shop's side of both versions does: hears of orders, lists them for orderbridge, and sends by cron. */
trait CatalogActions
{
    use OrderEvents;

    /** The event of a new status, and of an edit. Called by a URL, it has no order. */
    public function changed(mixed &$route = '', mixed &$args = [], mixed &$output = null): void
    {
        $this->orderbridgeNote($args, static fn (Module $module, int $id) => $module->outbox->changed($id));
    }

    /** The endpoint that orderbridge reads; a reading is a good moment to send what waits, too. */
    public function orders(): void
    {
        $module = new Module($this->db, DB_PREFIX);
        ['status' => $status, 'body' => $body] = $module->endpoint()->answer($_SERVER, $_GET);
        if ($status === 200) {
            AfterResponse::send($module);
        }
        $this->orderbridgeAnswer($status, $body);
    }

    /** For cron, with the key of the settings page. */
    public function send(): void
    {
        $module = new Module($this->db, DB_PREFIX);
        $key = $module->settings->text('key');
        if ($key === '' || !hash_equals($key, is_string($_GET['key'] ?? null) ? $_GET['key'] : '')) {
            $this->orderbridgeAnswer(403, ['error' => 'the key is wrong']);
            return;
        }
        $module->outbox->adopt();
        $sent = $module->sender()?->send(50) ?? 0;
        $this->orderbridgeAnswer(200, ['sent' => $sent, 'waiting' => $module->outbox->waiting()]);
    }

    /** @param array<string, mixed> $body */
    private function orderbridgeAnswer(int $status, array $body): void
    {
        http_response_code($status);
        $this->response->addHeader('Content-Type: application/json');
        $this->response->setOutput(json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE
            | JSON_INVALID_UTF8_SUBSTITUTE));
    }
}
