<?php
/**
 * Loads what needs no WordPress.
 *
 * @package Orderbridge
 */

const ABSPATH = __DIR__;

define( 'Orderbridge\VERSION', '0.1.0' );

foreach ( array( 'webhooks', 'note', 'receipt', 'rhythm' ) as $name ) {
	require_once __DIR__ . "/../orderbridge/includes/class-{$name}.php";
}
