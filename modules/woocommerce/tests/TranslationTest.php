<?php
/**
 * The Bulgarian texts.
 *
 * @package Orderbridge
 */

use PHPUnit\Framework\TestCase;

final class TranslationTest extends TestCase {
	private const PLUGIN = __DIR__ . '/../orderbridge';

	public function test_every_text_has_its_bulgarian_one_and_no_other_is_there(): void {
		$messages = ( require self::PLUGIN . '/languages/orderbridge-bg_BG.l10n.php' )['messages'];
		$texts    = array();
		foreach ( array( ...glob( self::PLUGIN . '/*.php' ), ...glob( self::PLUGIN . '/includes/*.php' ) ) as $file ) {
			$source = file_get_contents( $file );
			preg_match_all( "/\b(?:esc_html)?__\( '([^']+)', 'orderbridge' \)/", $source, $single );
			preg_match_all( "/\b_n\( '([^']+)', '([^']+)', /", $source, $plural, PREG_SET_ORDER );
			preg_match_all( '/^ \* Description: +(.+)$/m', $source, $header );
			array_push( $texts, ...$single[1], ...$header[1], ...array_map( static fn( array $one ): string => "{$one[1]}\0{$one[2]}", $plural ) );
		}

		$this->assertEqualsCanonicalizing( array_values( array_unique( $texts ) ), array_keys( $messages ) );
	}

	public function test_a_bulgarian_text_begins_in_cyrillic_and_keeps_what_is_filled_in(): void {
		foreach ( ( require self::PLUGIN . '/languages/orderbridge-bg_BG.l10n.php' )['messages'] as $english => $bulgarian ) {
			$this->assertMatchesRegularExpression( '/^\p{Cyrillic}/u', $bulgarian );
			$this->assertSame( self::filled( $english ), self::filled( $bulgarian ) );
		}
	}

	private static function filled( string $text ): array {
		preg_match_all( '/%[ds]/', $text, $found );
		return $found[0];
	}
}
