<?php
/**
 * What a note says.
 *
 * @package Orderbridge
 */

use Orderbridge\Note;
use PHPUnit\Framework\TestCase;

final class NoteTest extends TestCase {
	/** @dataProvider notes */
	public function test_the_last_line_says_state_and_document( string $text, ?array $said ): void {
		$this->assertSame( $said, Note::parse( $text ) );
	}

	public function notes(): array {
		$recorded = array( 'state' => 'recorded', 'document' => '0000000123' );
		$review   = array( 'state' => 'review', 'document' => '' );
		return array(
			'recorded'                      => array( "Recorded as document 0000000123.\n(orderbridge: recorded 0000000123 r1)", $recorded ),
			'Windows line ends'             => array( "Recorded.\r\n(orderbridge: recorded 0000000123 r1)\r\n", $recorded ),
			'in Bulgarian, without a number' => array( "Поръчката чака решение.\n(orderbridge: review - 7f3a:2)", $review ),
			'replaced'                      => array( '(orderbridge: replaced 12 a)', array( 'state' => 'replaced', 'document' => '12' ) ),
			'removed'                       => array( '(orderbridge: removed 12 b)', array( 'state' => 'removed', 'document' => '12' ) ),
			'unrecorded'                    => array( '(orderbridge: unrecorded - c)', array( 'state' => 'unrecorded', 'document' => '' ) ),
			'not the last line'             => array( "(orderbridge: recorded 12 a)\nThank you", null ),
			'within a line'                 => array( 'See (orderbridge: recorded 12 a)', null ),
			'a state that is none'          => array( '(orderbridge: paid 12 a)', null ),
			'a link in place of a number'   => array( '(orderbridge: recorded https://x.example a)', null ),
			'markup in place of a number'   => array( '(orderbridge: recorded <b>1</b> a)', null ),
			'no change'                     => array( '(orderbridge: recorded 12)', null ),
			'another note'                  => array( 'Order status changed from Pending payment to Processing.', null ),
			'empty'                         => array( '', null ),
		);
	}
}
