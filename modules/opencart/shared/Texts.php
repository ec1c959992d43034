<?php

declare(strict_types=1);

namespace Orderbridge;

/** The words of the administration's language: Bulgarian, or else English. */
final class Texts
{
    /** @param array<string, string> $texts */
    private function __construct(private readonly array $texts, public readonly string $language)
    {
    }

    public static function in(string $language): self
    {
        $known = str_starts_with($language, 'bg') ? 'bg' : 'en';
        return new self(require __DIR__ . "/texts/$known.php", $known);
    }

    public function say(string $name, string $value = ''): string
    {
        return str_replace('%s', $value, $this->texts[$name]);
    }

    /** @return array<string, string> */
    public function all(): array
    {
        return $this->texts;
    }

    /**
     * What became of an order's message.
     *
     * @param array<string, mixed>|null $row of the outbox
     */
    public function state(?array $row, ?string $paused): string
    {
        if ($row === null) {
            return $this->say('state_none');
        }
        $sent = $row['sent_at'] === null ? '' : date('Y-m-d H:i:s', intdiv((int) $row['sent_at'], 1000));
        if (!(bool) $row['waits']) {
            return $sent === '' ? $this->say('state_old') : $this->say('state_sent', $sent);
        }
        $why = $row['problem'] ?? $paused;
        return $why === null ? $this->say('state_waits') : $this->say('state_fails', (string) $why);
    }
}
