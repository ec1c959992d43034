<?php
/**
 * WordPress has this function in a file of its own.
 *
 * @package Orderbridge
 */

function dbDelta( string $sql ): void {
	$GLOBALS['wpdb']->query( $sql );
}
