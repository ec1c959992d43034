<?php

declare(strict_types=1);

namespace Orderbridge\Test;

use Orderbridge\SettingsForm;
use Orderbridge\Settings;
use Orderbridge\Texts;
use PHPUnit\Framework\TestCase;

final class TextsTest extends TestCase
{
    public function testBothLanguagesSayTheSame(): void
    {
        $english = Texts::in('en-gb')->all();
        $bulgarian = Texts::in('bg-bg')->all();
        self::assertSame(array_keys($english), array_keys($bulgarian));
        foreach ($english as $name => $text) {
            self::assertSame(substr_count($text, '%s'), substr_count($bulgarian[$name], '%s'), $name);
            self::assertMatchesRegularExpression('/^[А-я]/u', $bulgarian[$name], $name);
        }
    }

    public function testTheFormKeepsTheCodeThatItDoesNotShow(): void
    {
        $before = Settings::of(['module_orderbridge_code' => 'saved']);
        $form = new SettingsForm(['code' => '', 'status' => '1', 'paid' => ['2', '5'], 'cod' => 'cod, econt.cod']);
        $after = $form->settings($before);
        self::assertTrue($form->isCodeRight());
        self::assertSame(['saved', ['2', '5'], ['cod', 'econt.cod'], []], [
            $after->text('code'), $after->all('paid'), $after->all('cod'), $after->all('refunded'),
        ]);
        self::assertFalse((new SettingsForm(['code' => 'https://bridge.example']))->isCodeRight());
    }
}
