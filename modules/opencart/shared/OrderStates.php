<?php

declare(strict_types=1);

namespace Orderbridge;

/** What the administration shows of some orders: what orderbridge says, and what waits to be sent. */
final class OrderStates
{
    private const CLASSES = [
        'recorded' => 'success',
        'replaced' => 'success',
        'review' => 'danger',
        'unconfirmed' => 'danger',
    ];

    /** @var array<int, array{state: string, document: string|null, why: string|null}> */
    private readonly array $told;

    /** @param list<int> $ids */
    public function __construct(private readonly Module $module, private readonly Texts $texts, array $ids)
    {
        $this->told = $module->sender()?->states($ids, $texts->language) ?? [];
    }

    /** For the tab of an order. */
    public function sentence(int $id): string
    {
        $row = $this->module->outbox->of($id);
        $told = $this->told($id);
        $isSaid = $told !== '' && !($row['waits'] ?? false);
        $own = $isSaid ? '' : $this->texts->state($row, $this->module->outbox->paused());
        return implode("\n", array_filter([$told, $this->told[$id]['why'] ?? '', $own]));
    }

    /** For a row of the list, as HTML; `$receipt` is an address for an attribute. Empty: nothing is to be said. */
    public function mark(int $id, string $receipt): string
    {
        $waits = (bool) ($this->module->outbox->of($id)['waits'] ?? false);
        $class = self::CLASSES[$this->told[$id]['state'] ?? ''] ?? 'muted';
        $text = htmlspecialchars($this->told($id));
        $mark = $this->mayHaveReceipt($id) && $text !== ''
            ? "<a href=\"$receipt\" target=\"_blank\" rel=\"noopener noreferrer\" class=\"text-$class\">$text</a>"
            : "<span class=\"text-$class\">$text</span>";
        $parts = [$text === '' ? '' : $mark, $waits ? htmlspecialchars($this->texts->say('state_waits')) : ''];
        $shown = implode('<br>', array_filter($parts));
        return $shown === '' ? '' : "<br><small>$shown</small>";
    }

    /** False: orderbridge says that there is no record. The number of one can't always be had. */
    public function mayHaveReceipt(int $id): bool
    {
        $told = $this->told[$id] ?? null;
        return $told === null || $told['document'] !== null || in_array($told['state'], ['recorded', 'replaced'], true);
    }

    private function told(int $id): string
    {
        $told = $this->told[$id] ?? null;
        if ($told === null) {
            return '';
        }
        $document = $told['document'] === null ? '' : ', ' . $this->texts->say('document', $told['document']);
        return ($this->texts->all()["became_{$told['state']}"] ?? $told['state']) . $document;
    }
}
